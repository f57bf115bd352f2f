import type { Finding } from "./finding.ts";

type Version = readonly [major: number, minor: number, patch: number];

/**
 * The version that a service needs for its changes by semantic versioning; undefined when its version is high enough,
 * or when the versions cannot be compared. Before 1.0.0, a breaking change increases the second number.
 */
export function neededVersion(before: string, after: string, found: readonly Finding[]): string | undefined {
  const [old, now] = [parse(before), parse(after)];
  if (old === undefined || now === undefined || found.length === 0 || isZero(old)) return undefined;
  const needed = next(old, weightOf(found));
  return compare(now, needed) >= 0 ? undefined : needed.join(".");
}

function weightOf(found: readonly Finding[]): 0 | 1 | 2 {
  if (found.some(({ severity }) => severity === "breaking")) return 0;
  return found.some(({ severity }) => severity === "additive") ? 1 : 2;
}

function next([major, minor, patch]: Version, weight: 0 | 1 | 2): Version {
  const step = major === 0 ? Math.min(weight + 1, 2) : weight;
  if (step === 0) return [major + 1, 0, 0];
  return step === 1 ? [major, minor + 1, 0] : [major, minor, patch + 1];
}

/** True for 0.0.0, the version of a service that does not name one. */
function isZero(version: Version): boolean {
  return version.every((part) => part === 0);
}

function parse(text: string): Version | undefined {
  const found = /^(\d+)\.(\d+)\.(\d+)(?:[-+]|$)/.exec(text);
  return found === null ? undefined : [Number(found[1]), Number(found[2]), Number(found[3])];
}

function compare(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}
