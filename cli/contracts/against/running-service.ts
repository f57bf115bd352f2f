import { CommandError } from "../../base/usage.ts";
import { fetchService, needsToken } from "../../base/fetch-service.ts";
import type { Contract } from "../contract.ts";
import { parseContract, parseDescriptions } from "../parse-contract.ts";

/**
 * The contract of a running service: its definition, or from a service that does not publish it, the descriptions of its
 * tools, which have fewer facts.
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

/** The body of an answer; undefined for a status that is expected. */
async function fetchText(url: string, absent: readonly number[] = []): Promise<string | undefined> {
  let response: Response;
  try {
    response = await fetchService(url);
  } catch (error) {
    const { cause, message } = error as Error;
    throw new CommandError(`${url} cannot be reached: ${cause instanceof Error ? cause.message : message}.`);
  }
  if (absent.includes(response.status)) return undefined;
  if (response.status === 401) throw new CommandError(`${url}: ${needsToken}`);
  if (!response.ok) throw new CommandError(`${url} answered ${response.status}. Is this a tenon service?`);
  return response.text();
}
