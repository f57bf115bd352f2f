/**
 * The house as an ordered list: each room may import those above it in its list, never those below. `*` stands for the
 * files of a folder that no entry names. Rooms in one inner list stand side by side and never import one another.
 * `rules.ts` makes the linter's rules from this list; `npm run borders` prints it as floors and counts.
 */
export type Floor = string | readonly string[];

export const rooms: { readonly [folder: string]: readonly Floor[] } = {
  runtime: [
    "contract",
    "base",
    "service",
    "job",
    "telemetry",
    "outside",
    "executor",
    "client",
    "fronts",
    "start",
    ["index", "internal", "view"],
    // No service contains these as code: it has pages as texts, and tests and mocks have no service.
    "web",
    "kits",
  ],
  "runtime/web": [["console", "view"], "auto-view"],
  // Runs in browsers; a service has it as one text.
  "runtime/web/console": [
    "base",
    "schema",
    "client",
    "parts",
    "sign-in",
    "form",
    "call",
    "tools",
    "jobs",
    "schedules",
    "mcp",
    "contract",
    "platform",
    "*",
  ],
  "runtime/kits": [["testing", "mock"]],
  "runtime/contract": ["*", "validation", "definition"],
  "runtime/contract/validation": ["*", "formats", "report", "codecs"],
  "runtime/base": ["*", "process"],
  "runtime/service": ["config", "tools", "*"],
  "runtime/telemetry": ["export", "log", "telemetry", "watch-outbound", "authors-signals", "spans", "sdk", "*"],
  "runtime/telemetry/spans": ["attributes", "model", "*"],
  "runtime/outside": ["platform", "outbound", "llm"],
  "runtime/outside/outbound": ["rules", "patches", "hooks", "*"],
  "runtime/outside/platform": ["sidecar", "aspects", "artifacts", "delivery", "local", "*"],
  "runtime/executor": ["store", "running", "run", "kept", "threads", "*", "schedules"],
  "runtime/job": ["limits", "steps", "*"],
  "runtime/executor/store": ["*", ["memory", "sqlite", "postgres"], "open-store"],
  "runtime/executor/store/postgres": ["connection", "shared-news", "channel", "sql", "*"],
  "runtime/client": [
    "call-error",
    "encode-request",
    "decode-result",
    "transport",
    "unless-aborted",
    "rest",
    "*",
    ["mcp", "react"],
  ],
  "runtime/start": ["parts", "*"],
  "runtime/fronts/http": ["*", ["middleware", "node"]],
  "runtime/fronts": ["http", "auth", ["rest", "mcp", "batch"]],
  "runtime/fronts/mcp": ["port", "results", "lists", "calls", "sessions", "*", ["plain", "sdk"], "http", "stdio"],
  plugin: [
    "model",
    "diagnostics",
    "read",
    "adopt",
    "emit",
    "texts",
    "skills",
    "packages",
    "views",
    "compile",
    "hooks",
    "bundlers",
    "*",
  ],
  "plugin/adopt": ["base", "zod", "code", "sources", "*"],
  "plugin/compile": ["compiled-module", "options", "cache", "outcome", "*"],
  "plugin/emit": ["facts", "text", "schema", "validator", "codec", "*"],
  "plugin/texts": ["words", ["sentences", "verbs", "text-finding"], "contradictions", "*"],
  "plugin/bundlers": ["hosts", "*"],
  "plugin/read/types": ["written", "*", "unions", "objects", "read-type"],
  "plugin/read/tools": ["parameters", "*"],
  "plugin/read": ["base", "project", "comments", "constraints", "types", "rules", "tools", "*"],
  cli: [
    "base",
    "project",
    "contracts",
    "client",
    "adopt",
    "build",
    "pack",
    "call",
    "eval",
    "dev",
    "lsp",
    "local-platform",
    "platform",
    "commands",
    "command-list",
    "main",
  ],
  "cli/project": ["*", "install"],
  "cli/contracts": ["finding", "schemas", "contract", "limit-facts", "tool-facts", "*", "formats", "against"],
  "cli/local-platform": ["stored", "jobs", "services", "workers", "routes", "traffic", "*"],
};

/** The rooms of a folder with their floor. Floor 0 imports no other room. */
export function floorsOf(folder: string): ReadonlyMap<string, number> {
  const list = rooms[folder] ?? [];
  return new Map(list.flatMap((floor, index) => [floor].flat().map((room) => [room, index] as const)));
}

/** The room of a folder that a file belongs to; undefined for a file outside of it, or in no room. */
export function roomOf(folder: string, file: string): string | undefined {
  if (!file.startsWith(`${folder}/`)) return undefined;
  const [first = "", ...rest] = file.slice(folder.length + 1).split("/");
  const floors = floorsOf(folder);
  const name = rest.length === 0 ? first.replace(/\.tsx?$/, "") : first;
  if (floors.has(name)) return name;
  return rest.length === 0 && floors.has("*") ? "*" : undefined;
}

/** A pattern for the paths of a room. */
export function pathOf(folder: string, room: string): { readonly path: string; readonly pathNot?: string } {
  if (room !== "*") return { path: `^${folder}/${room}(?:/|\\.tsx?$)` };
  const named = [...floorsOf(folder).keys()].filter((name) => name !== "*").join("|");
  return { path: `^${folder}/[^/]+\\.tsx?$`, pathNot: `^${folder}/(?:${named})\\.tsx?$` };
}
