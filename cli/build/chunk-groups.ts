/**
 * The chunks of a built service, in the order in which a start needs them. Each further file makes a start slower, and
 * so does code that it does not need. Each item is a module of `runtime/`, without extension; the modules that it
 * imports are in its chunk too. A module is in the first chunk that lists it.
 */
export const chunkModules: { readonly [chunk: string]: readonly string[] } = {
  // Modules that every start needs. Entries import some of them, without loading the others.
  runtime: [
    "start/start",
    "internal",
    "base/errors",
    // Used for HTTP bodies and for lines of stdio, which are in two chunks.
    "base/byte-gatherer",
    "fronts/http/identity",
    "fronts/http/parse-json",
    "job/baggage",
    "job/binary-result",
    "job/content",
    "telemetry/log/logging",
    "contract/validation/codecs/codecs",
    "contract/validation/json-value",
    "contract/validation/formats/text-formats",
  ],
  // Modules that answer MCP requests before any job runs.
  mcp: [
    "fronts/mcp/lists/describe-server",
    "fronts/mcp/lists/early-port",
    "start/run-mcp-stdio",
    "fronts/mcp/plain/engine",
    "fronts/mcp/plain/read-request",
  ],
  // Modules that run jobs for all fronts, and answer HTTP.
  jobs: [
    "start/parts/serving",
    "executor/executor",
    "job/question",
    "start/parts/shutdown",
    "executor/run/stray-errors",
    "executor/store/memory/memory",
    "outside/outbound/start-outbound",
    "outside/platform/artifacts/artifact-urn",
    "base/clock",
    "outside/platform/sidecar/call-owner",
    "outside/platform/delivery/open-delivery",
    "fronts/http/answer",
    "fronts/http/problem",
    "fronts/http/read-body",
    "fronts/rest/answer-job",
    "fronts/rest/call-headers",
  ],
  "mcp-calls": ["fronts/mcp/http/mount-mcp", "fronts/mcp/service-port", "start/parts/stdio-jobs"],
};

/** The groups of {@link chunkModules} as options of the bundler. */
export const chunkGroups = Object.entries(chunkModules).map(([name, modules], index, { length }) => ({
  name,
  test: new RegExp(`[\\\\/]runtime[\\\\/](?:${modules.join("|").replaceAll("/", "[\\\\/]")})\\.[jt]s$`),
  priority: length - index,
}));
