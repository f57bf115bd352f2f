import { existsSync, readFileSync, statSync } from "node:fs";
import { CommandError } from "../../base/usage.ts";
import type { Contract } from "../contract.ts";
import { parseContract } from "../parse-contract.ts";
import { showAtRef } from "./git.ts";
import { readNpmPackage } from "./npm-package.ts";
import { fetchContract } from "./running-service.ts";

/** The contract to compare with, or the reason why there is none. */
export type Reference =
  | { readonly name: string; readonly contract: Contract }
  /** The reference exists, but does not contain the service. */
  | { readonly name: string; readonly absent: string };

/**
 * Loads the contract that `--against` names: an address, `npm:name@version`, a file, or else a git ref, from which the
 * committed definition is read.
 *
 * @param definition Absolute path of the service definition.
 */
export async function loadReference(ref: string, definition: string): Promise<Reference> {
  if (/^https?:\/\//.test(ref)) return { name: ref, contract: await fetchContract(ref) };
  if (ref.startsWith("npm:")) {
    const text = await readNpmPackage(ref.slice("npm:".length));
    return { name: ref, contract: readAs(text, `service.json of ${ref}`) };
  }
  if (existsSync(ref) && statSync(ref).isFile()) return { name: ref, contract: readAs(readFileSync(ref, "utf8"), ref) };
  const text = showAtRef(ref, definition);
  if (text === undefined) return { name: ref, absent: `There is no service definition at ${ref}: everything is new.` };
  return { name: ref, contract: readAs(text, `the service definition at ${ref}`) };
}

function readAs(text: string, name: string): Contract {
  const contract = parseContract(text);
  if (typeof contract === "string") throw new CommandError(`${name} cannot be compared: ${contract}.`);
  return contract;
}
