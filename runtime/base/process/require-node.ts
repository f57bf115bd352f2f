import { isTooOld, oldestNode } from "../../contract/oldest-node.ts";
import { StartError } from "../start-error.ts";

/**
 * Refuses to start a service on a Node that is too old, before anything runs that needs a newer one. Bun and Deno pass:
 * they name a Node that they imitate, and have newer features.
 * @throws {StartError} with one line that names the version to install
 */
export function requireNode({ node, bun, deno }: Partial<NodeJS.ProcessVersions> = process.versions): void {
  if (node === undefined || bun !== undefined || deno !== undefined || !isTooOld(node)) return;
  throw new StartError(
    `This is Node ${node}, and this service needs ${oldestNode} or later. Install a newer Node, and start it again.`,
  );
}
