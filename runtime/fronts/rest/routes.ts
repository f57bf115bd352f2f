import { sees, type Caller } from "../http/identity.ts";
import { ToolError } from "../../base/errors.ts";
import { openedOnce } from "../../base/opened-once.ts";
import { jsonAnswer, type Answer } from "../http/answer.ts";
import type { ConsoleAccess } from "../http/console-page.ts";
import type { Exchange } from "../http/exchange.ts";
import { failureAnswer } from "../http/failure-answer.ts";
import { problemAnswer } from "../http/problem.ts";
import { pathsOf } from "../../service/tools/tool.ts";
import type { RestDocuments } from "./documents.ts";
import { fresh, jobRoutes, type Answerer, type JobRoutesOptions } from "./job-routes.ts";
import { JobEventStreams } from "./job-event-stream.ts";
import { readiness } from "./readiness.ts";
import type { Turns } from "./turns.ts";

export interface RoutesOptions extends JobRoutesOptions {
  /** Called when the routes are created, at the first request for one of them. */
  readonly documents: () => Promise<RestDocuments>;
  /** Version of the service. */
  readonly version: string;
  /** Name of the service. */
  readonly service: string;
  /** Sender of the events, for example the service's id. */
  readonly source: string;
  /** Paths of the console; none where it is turned off. */
  readonly consolePaths: readonly string[];
  /** Access of the console page to the authorisation server; only if callers are authenticated. */
  readonly consoleAccess?: (() => Promise<ConsoleAccess>) | undefined;
  /** Gives the reason why no job can be stored, for `/readyz`; undefined when all is well. */
  readonly trouble?: (() => Promise<string | undefined>) | undefined;
}

/** Handlers by method, by path; in a path, `:id` stands for the id of a job. */
type Table = Map<string, Map<string, Answerer>>;

/** The routes of a service, except `POST` of its tools. */
export interface Routes {
  /** Methods by path; a path of jobs has `:id`. */
  readonly methods: ReadonlyMap<string, readonly string[]>;
  /** Answers a request. Never rejects. */
  answer(exchange: Exchange, caller: Caller | undefined): Promise<Answer>;
}

/** Creates every route except `POST` of tools: descriptions, jobs, health, documents. */
export async function createRoutes(options: RoutesOptions): Promise<Routes> {
  const { tools, executor } = options;
  const documents = await options.documents();
  const table: Table = new Map();
  const add = (method: string, path: string, answer: Answerer): void => {
    const known = table.get(path) ?? new Map<string, Answerer>();
    table.set(path, known);
    // The first handler of a path is used, so that a tool keeps a path that its author chose.
    if (!known.has(method)) known.set(method, answer);
  };
  const get = (path: string, answer: Answerer): void => add("GET", path, answer);
  const loaded = openedOnce(async () => (await import("./turns.ts")).createTurns());
  const turns: Turns = async (exchange, task) => (await loaded.value())(exchange, task);
  const shared = { streams: new JobEventStreams(options), turns };
  for (const tool of tools) {
    for (const path of pathsOf(tool)) {
      get(path, () => jsonAnswer(documents.toolDescription(tool)));
      // A tool at the root needs no job routes of its own: their paths would be those of all jobs.
      if (path !== "/") jobRoutes(add, path, options, shared, tool);
    }
  }
  if (tools.length > 1 && !tools.some(({ path }) => path === "/tool")) {
    get("/tool", ({ caller }) => {
      const visible = tools.filter(({ definition }) => sees(caller?.scopes, definition.scopes));
      return jsonAnswer({ tools: visible.map((tool) => documents.toolDescription(tool)) });
    });
  }
  jobRoutes(add, "", options, shared);
  const alive = (): Answer => fresh({ status: "ok", version: options.version });
  get("/healthz", alive);
  get("/_healtz", alive);
  get("/readyz", async () => {
    const state = await readiness(tools, executor.draining, options.trouble);
    return fresh(state, state.status === "ready" ? 200 : 503);
  });
  get("/openapi.json", ({ caller }) => jsonAnswer(documents.openApi(caller?.scopes)));
  get("/service.json", ({ caller }) => jsonAnswer(documents.definition(caller?.scopes)));
  const { changes, failure } = options.dev ?? {};
  if (changes !== undefined)
    get("/service.json/changes", async ({ caller }) => fresh(await changes(documents.definition(caller?.scopes))));
  if (failure !== undefined) get("/service.json/failure", () => fresh({ failure: failure() }));
  get("/jobs", async (asked) => (await import("./job-list.ts")).answerList(options, asked, turns));
  get("/queue", async ({ caller }) => {
    const { queueAnswer } = await import("./queue-answer.ts");
    return fresh(await queueAnswer({ tools, executor, service: options.service, caller }));
  });
  for (const tool of tools.filter(({ functions }) => functions.limits !== undefined))
    add("DELETE", `/queue/${tool.name}`, async (asked) =>
      (await import("./clear-route.ts")).answerClear(executor, tool, asked),
    );
  const scheduled = tools.filter(({ definition }) => definition.schedules !== undefined);
  if (scheduled.length > 0)
    get("/schedules", async (asked) => (await import("./schedule-routes.ts")).answerSchedules(options, asked));
  for (const { name: tool, definition } of scheduled) {
    for (const [index] of (definition.schedules ?? []).entries()) {
      const key = { tool, number: index + 1 };
      add("PUT", `/schedules/${tool}/${key.number}/paused`, async (asked) =>
        (await import("./schedule-routes.ts")).answerPause(options, key, asked),
      );
    }
  }
  for (const path of options.consolePaths) {
    get(path, async ({ exchange }) =>
      (await import("./service-console.ts")).serviceConsole(
        exchange.query,
        options.consoleAccess,
        options.dev !== undefined,
      ),
    );
  }
  // Other methods are answered here: `POST` of tools is handled before.
  const toolPaths = new Set(tools.flatMap(pathsOf));
  const methodsOf = (path: string, known: ReadonlyMap<string, Answerer>): readonly string[] =>
    [...known.keys(), ...(known.has("GET") ? ["HEAD"] : []), ...(toolPaths.has(path) ? ["POST"] : [])].toSorted();
  return {
    methods: new Map([...table].map(([path, known]) => [path, methodsOf(path, known)])),
    async answer(exchange, caller) {
      try {
        const { path, id } = find(table, exchange.path);
        const known = table.get(path);
        if (known === undefined) return problemAnswer(new ToolError("not-found", missing(exchange.path)));
        const answer = known.get(exchange.method === "HEAD" ? "GET" : exchange.method);
        if (answer !== undefined) return await answer({ exchange, caller, id });
        const allow = methodsOf(path, known).join(", ");
        const error = new ToolError("method-not-allowed", `Allowed here: ${allow}.`);
        return problemAnswer(error, undefined, ["Allow", allow]);
      } catch (thrown) {
        return failureAnswer(thrown);
      }
    },
  };
}

/** The path of a route in the table. The raw path is compared: another spelling of a path must not reach a route. */
function find(table: Table, raw: string): { readonly path: string; readonly id: string } {
  if (!table.has(raw)) {
    for (let at = raw.lastIndexOf(jobs); at >= 0; at = at === 0 ? -1 : raw.lastIndexOf(jobs, at - 1)) {
      const start = at + jobs.length;
      const end = raw.indexOf("/", start);
      const id = raw.slice(start, end < 0 ? undefined : end);
      const below = end < 0 ? "" : raw.slice(end).replace(/^(\/messages\/)[^/]+$/, "$1:name");
      const path = `${raw.slice(0, start)}:id${below}`;
      if (id !== "" && table.has(path)) return { path, id: decoded(id) };
    }
  }
  return { path: raw, id: "" };
}

const jobs = "/jobs/";

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Text for an unknown path. `/mcp` is unknown only in a service that does not serve MCP. */
function missing(path: string): string {
  return path === "/mcp"
    ? "This service does not serve MCP over HTTP. Start it with --with-mcp."
    : "There is no such route.";
}
