import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { CommandError } from "../../base/usage.ts";
import type { Contract } from "../contract.ts";
import type { Finding } from "../finding.ts";

/** Seconds for one comparison. The largest services need a few. */
const patience = 60;

/**
 * The differences between two contracts, computed in a thread that can be ended: patterns and choices of a contract that
 * others wrote may cost any time. Rejects with `CommandError`.
 *
 * @param name That of the contract before, for the error.
 */
export async function compareInThread(
  name: string,
  before: Contract,
  after: Contract,
  seconds = patience,
): Promise<readonly Finding[]> {
  const file = new URL(`compare-thread${extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(file, { workerData: { before, after }, resourceLimits: { maxOldGenerationSizeMb: 1024 } });
  const { promise, resolve, reject } = Promise.withResolvers<readonly Finding[]>();
  const refuse = (why: string): void => reject(new CommandError(`${name} cannot be compared: ${why}.`));
  const timer = setTimeout(() => refuse(`it takes more than ${seconds} seconds`), seconds * 1000);
  worker.once("message", resolve);
  worker.once("error", (error: Error) => refuse(error.message));
  worker.once("exit", () => refuse("the comparison ended early"));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
