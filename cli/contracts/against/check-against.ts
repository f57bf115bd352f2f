import { dirname, join, extname } from "node:path";
import type { CompiledProject, ServiceFile } from "../../../plugin/index.ts";
import { applyExceptions, type Exception, type JudgedFinding } from "../exceptions.ts";
import type { Place } from "../formats/describe.ts";
import { type TokenChange, tokenChange } from "../token-change.ts";
import { neededVersion } from "../version-step.ts";
import { repositoryPaths } from "./git.ts";
import { loadReference } from "./load-reference.ts";
import { checkKeptResults } from "./kept-results.ts";
import { readExceptions } from "./read-exceptions.ts";
import { Worker } from "node:worker_threads";
import { CommandError } from "../../base/usage.ts";
import type { Contract } from "../contract.ts";
import type { Finding } from "../finding.ts";

/** Maximum seconds for one comparison; those of the largest services need a few seconds. */
const patience = 60;

/**
 * The differences between two contracts, computed in a thread that can be terminated: patterns and unions of a contract
 * from elsewhere may take arbitrarily long. Rejects with `CommandError`.
 *
 * @param name Name of the earlier contract, for the error.
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

/** The result of comparing the code's contract with an earlier one. */
export interface ContractCheck {
  /** Name of the earlier contract. */
  readonly against: string;
  /** Reason why there is nothing to compare with. */
  readonly absent?: string;
  readonly findings: readonly JudgedFinding[];
  /** Exceptions that match no finding. */
  readonly unused: readonly Exception[];
  readonly version: { readonly before: string; readonly after: string; readonly needed?: string };
  /** Size of the tools in a model's tool list; undefined if the earlier contract does not contain it. */
  readonly tokens?: TokenChange;
  readonly placeOf: (tool: string) => Place;
}

/** Compares the contract of compiled code with the one that `ref` names. */
export async function checkAgainst(
  ref: string,
  { file, definition }: ServiceFile,
  { tools }: Pick<CompiledProject, "tools">,
  root: string,
): Promise<ContractCheck> {
  const reference = await loadReference(ref, file);
  const exceptions = readExceptions(root);
  const placeOf = placesOf(tools, file, root);
  const after = definition.version;
  if ("absent" in reference) {
    const { name, absent } = reference;
    return { against: name, absent, findings: [], unused: [], version: { before: "", after }, placeOf };
  }
  const { name, contract } = reference;
  const found = await compareInThread(name, contract, definition);
  const needed = neededVersion(contract.version, after, found);
  const tokens = tokenChange(contract, definition);
  const kept = /^https?:\/\//.test(ref) ? await checkKeptResults(ref, definition) : [];
  return {
    against: name,
    ...applyExceptions([...found, ...kept], exceptions, new Date().toISOString().slice(0, 10)),
    version: { before: contract.version, after, ...(needed !== undefined && { needed }) },
    ...(tokens !== undefined && { tokens }),
    placeOf,
  };
}

/**
 * Positions with paths relative to the repository, as code hosts need them; without a repository, to the working
 * folder.
 */
function placesOf(tools: CompiledProject["tools"], file: string, root: string): (tool: string) => Place {
  const shown = repositoryPaths(dirname(file));
  const sources = new Map(tools.map(({ definition }) => [definition.name, definition.source]));
  return (tool) => {
    const [, path, line] = /^(.*):(\d+)$/.exec(sources.get(tool) ?? "") ?? [];
    return path === undefined ? { file: shown(file) } : { file: shown(join(root, path)), line: Number(line) };
  };
}
