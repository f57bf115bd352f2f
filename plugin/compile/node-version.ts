import { isTooOld, oldestNode } from "../../runtime/contract/oldest-node.ts";
import { OptionsError } from "./options.ts";

/**
 * Refuses a Node that is too old, before code is loaded that uses newer features.
 * @throws {OptionsError} with one line that names the version to install
 */
export function requireNode(version: string = process.versions.node): void {
  if (!isTooOld(version)) return;
  throw new OptionsError(
    `tenon: this is Node ${version}, and tenon needs ${oldestNode} or later. Install a newer Node, and build again.`,
  );
}
