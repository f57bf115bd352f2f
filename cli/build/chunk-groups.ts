/**
 * The chunks of a built service, by when they are needed; those needed first come first. A file costs a start more than
 * its size does, and what a start does not need costs too. Each entry is a module of `runtime/`, without extension: the
 * modules that it imports are in its chunk too. A module is in the first chunk that it belongs to.
 */
export const chunkModules: { readonly [chunk: string]: readonly string[] } = {
  // Every start needs these, and entries import some, which must not bring the rest with them.
  runtime: [
    "start/start",
    "internal",
    "base/errors",
    "fronts/http/caller",
    "fronts/http/parse-json",
    "job/binary-result",
    "job/content",
    "telemetry/log/logging",
    "contract/validation/codecs/codecs",
    "contract/validation/json-value",
    "contract/validation/formats/text-formats",
  ],
  // Answers MCP before anything runs.
  mcp: [
    "fronts/mcp/lists/describe-server",
    "fronts/mcp/lists/early-port",
    "start/run-mcp-stdio",
    "fronts/mcp/plain/engine",
    "fronts/mcp/plain/read-request",
  ],
  // Runs jobs, whoever asks for them, and answers HTTP.
  jobs: [
    "start/serving",
    "executor/executor",
    "job/question",
    "start/shutdown",
    "executor/run/stray-errors",
    "executor/store/open-store",
    "clients/outbound/start-outbound",
    "clients/platform/artifacts/artifact-urn",
    "base/clock",
    "clients/platform/sidecar/call-owner",
    "clients/platform/delivery/open-delivery",
    "fronts/http/answer",
    "fronts/http/problem",
    "fronts/http/read-body",
    "fronts/rest/answer-job",
    "fronts/rest/call-headers",
  ],
  "mcp-calls": ["fronts/mcp/http/mount-mcp", "fronts/mcp/service-port", "start/stdio-jobs"],
};

/** The same for the bundler. */
export const chunkGroups = Object.entries(chunkModules).map(([name, modules], index, { length }) => ({
  name,
  test: new RegExp(`[\\\\/]runtime[\\\\/](?:${modules.join("|").replaceAll("/", "[\\\\/]")})\\.[jt]s$`),
  priority: length - index,
}));
