/** `local`: a service of the platform, which may see a job's token. `external`: everything else. */
export type HostClass = "local" | "external";

/** Suffixes that are local on every platform; each platform adds its own. */
export const localSuffixes: readonly string[] = [".local", ".minikube"];

// Matches a plain or an internationalised name as the URL parser returns it. Other names can be looked up too, but no
// service is named `a,b.local`: such a name is probably an attack, so it counts as external.
const plainName = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

/**
 * Returns the class of a host by its name alone. Takes `URL.hostname`, since the URL parser maps every spelling to the
 * name that is used for the connection. IP literals and bare suffixes are external.
 *
 * @param suffixes Lower case, each with its leading dot.
 */
export function classifyHost(hostname: string, suffixes: readonly string[]): HostClass {
  const lower = hostname.toLowerCase();
  // A trailing dot stands for the DNS root, so `a.local.` is the same name; with a second dot it is not a name.
  const name = lower.endsWith(".") ? lower.slice(0, -1) : lower;
  if (!plainName.test(name)) return "external";
  return suffixes.some((suffix) => name.length > suffix.length && name.endsWith(suffix)) ? "local" : "external";
}
