import { CommandError } from "../../base/usage.ts";
import { fetchService, needsToken, readText } from "../../base/fetch-service.ts";
import type { Contract } from "../contract.ts";
import { parseContract, parseDescriptions } from "../parse-contract.ts";

/** Maximum bytes of a definition, and milliseconds within which it must arrive: a service may send data for ever. */
const largest = 2 ** 26;
const patience = 30_000;

/**
 * The contract of a running service: its definition, or if it does not publish that, the descriptions of its tools,
 * which contain less.
 */
export async function fetchContract(address: string): Promise<Contract> {
  if (!URL.canParse(address)) throw new CommandError(`${address} is not an address.`);
  const base = address.replace(/\/+$/, "");
  if (base.endsWith(".json")) return parsed(await fetchText(base), base, parseContract);
  const definition = await fetchText(`${base}/service.json`, [404]);
  if (definition !== undefined) return parsed(definition, `${base}/service.json`, parseContract);
  return parsed(await fetchText(`${base}/tool`), `${base}/tool`, parseDescriptions);
}

function parsed(text: string | undefined, url: string, parse: (text: string) => Contract | string): Contract {
  const contract = parse(text ?? "");
  if (typeof contract !== "string") return contract;
  throw new CommandError(`${url} cannot be compared: ${contract}. Is this a tenon service?`);
}

/** The body of an answer; undefined for one of the expected statuses. */
async function fetchText(url: string, absent: readonly number[] = []): Promise<string | undefined> {
  try {
    return await read(url, absent);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { cause, message, name } = error as Error;
    if (name === "TimeoutError") throw new CommandError(`${url} did not answer within ${patience / 1000} seconds.`);
    throw new CommandError(`${url} cannot be reached: ${cause instanceof Error ? cause.message : message}.`);
  }
}

async function read(url: string, absent: readonly number[]): Promise<string | undefined> {
  const response = await fetchService(url, { signal: AbortSignal.timeout(patience) });
  if (absent.includes(response.status)) return undefined;
  if (response.status === 401) throw new CommandError(`${url}: ${needsToken}`);
  if (!response.ok) throw new CommandError(`${url} answered ${response.status}. Is this a tenon service?`);
  return readText(response, largest);
}
