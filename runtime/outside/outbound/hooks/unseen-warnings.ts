/** A kind of client whose requests bypass the hook. */
export type Unseen = "copy" | "taken" | "http2" | "composed";

const consequence =
  "requests that it sends for jobs carry neither the job's token nor its id, and do not go through PLATFORM_PROXY_URL.";

/** The warnings, which name the file that the stack of the request leads to. */
export const unseenWarnings: Readonly<Record<Unseen, (stack: string) => string>> = {
  copy: (stack) =>
    `A copy of undici in ${callerFile(stack)} has not been prepared by tenon: ${consequence} ` +
    "Import the package undici itself instead of a copy that is bundled into another file, and let the bundler take it into the bundle.",
  taken: (stack) =>
    `${callerFile(stack)} took a function out of node:http or node:https before the service started: ${consequence} ` +
    "Call it as a member of the module (`http.request(\u2026)`), or build with esbuild, Rolldown or Vite 8, which prepare the module itself.",
  http2: () =>
    `A tool sends requests over node:http2, which tenon does not change: ${consequence} ` +
    "Use fetch, undici or node:http where the platform's services are called.",
  composed: () =>
    "undici was loaded from outside of the bundle before the service started, and a dispatcher of it was composed by then: " +
    `${consequence} Let the bundler take the package into the bundle (with Rollup: \`plugins: [commonjs()]\` from @rollup/plugin-commonjs), or make the dispatcher within the tool.`,
};

/**
 * Returns the file of the code that made the request: the first file in the stack trace after the frames of
 * `node:diagnostics_channel` and of Node.
 */
function callerFile(stack: string): string {
  const lines = stack.split("\n");
  const below = lines.slice(lines.findLastIndex((line) => line.includes("node:diagnostics_channel")) + 1);
  const line = below.find((one) => /(?:file:\/\/|\(|at )\/|[a-z]:\\/i.test(one) && !one.includes("(node:"));
  return /(?:file:\/\/)?([^\s()]+?)(?::\d+){2}\)?$/.exec(line ?? "")?.[1] ?? "an unknown file";
}
