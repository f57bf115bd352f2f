/** Oldest Node that the plugin and its services run on; equal to the version in package.json. */
export const oldestNode = "22.19";

/** True if a version of Node, such as `22.18.0`, is too old. */
export function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [leastMajor = 0, leastMinor = 0] = oldestNode.split(".").map(Number);
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}
