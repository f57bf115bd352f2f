import { OptionsError } from "./options.ts";

/** Oldest Node that the plugin and its services run on; equal to the version in package.json. */
export const oldestNode = "22.19";

/**
 * Refuses a Node that is too old, before code is loaded that uses newer features.
 * @throws {OptionsError} with one line that names the version to install
 */
export function requireNode(version: string = process.versions.node): void {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [leastMajor = 0, leastMinor = 0] = oldestNode.split(".").map(Number);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return;
  throw new OptionsError(
    `tenon: this is Node ${version}, and tenon needs ${oldestNode} or later. Install a newer Node, and build again.`,
  );
}
