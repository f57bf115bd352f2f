import { runtimeFolder } from "../../plugin/packages/own-module.ts";

/**
 * Chunks of a built service, in the order in which a start needs them. Fewer files, and less code that a start does not
 * need, make starts faster. Each item is a module of `runtime/`, without extension; the modules that it imports are in
 * its chunk too. A module that several chunks list is in the first of them.
 */
export const chunkModules: { readonly [chunk: string]: readonly string[] } = {
  // Modules that every start needs. Entries import some of these modules alone, without loading the others.
  runtime: [
    "start/start",
    "internal",
    "base/errors",
    // A module for both HTTP bodies and lines of stdio, whose code is in two different chunks.
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
  // Modules that run jobs for all protocols, and that answer HTTP.
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

/** A group of modules as the bundler's option takes it. */
export interface ChunkGroup {
  readonly name: string;
  /** Matches the paths of its modules. */
  readonly test: RegExp;
  readonly priority: number;
}

/**
 * Converts chunks to groups for the bundler. A module that several groups list is in the first of them.
 *
 * @param folder Of the runtime: an author may have modules of the same names
 */
export function groupsOf(chunks: typeof chunkModules, folder: string): ChunkGroup[] {
  const within = folder.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return Object.entries(chunks).map(([name, modules], index, { length }) => ({
    name,
    test: new RegExp(`^${within}(?:${modules.join("|").replaceAll("/", "[\\\\/]")})\\.[jt]s$`),
    priority: length - index,
  }));
}

/** The groups of {@link chunkModules}. */
export const chunkGroups = groupsOf(chunkModules, runtimeFolder);
