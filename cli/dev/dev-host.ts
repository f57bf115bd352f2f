/** Runs in a separate process under `tenon dev`: loads each new build into the server that is already listening. */
import { devHostKey, entryKey } from "../../runtime/contract/process-keys.ts";
import { AsyncLocalStorage } from "node:async_hooks";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { JsonObject } from "../../runtime/contract/contract.ts";
import type { JobEvent, JobOutcome } from "../../runtime/job/job.ts";
import type { DevHost } from "../../runtime/start/parts/dev-host.ts";
import type { CommittedFile } from "../contracts/against/committed-contract.ts";
import { jsonSafe } from "../../runtime/base/json-safe.ts";
import { foldFrames } from "../../runtime/telemetry/log/fold-frames.ts";
import { describeThrown } from "../../runtime/telemetry/log/describe-thrown.ts";
import { splitErrors } from "../../runtime/telemetry/log/thrown-text.ts";
import { isSecretName } from "../../runtime/telemetry/log/redact.ts";
import { logState } from "../../runtime/telemetry/log/log-state.ts";
import { watchCalls } from "../../runtime/telemetry/watch-calls.ts";
import { paint, say } from "../base/output.ts";
import { createCallLines, limitedLines } from "./call-lines.ts";
import type { Built } from "./dev-build.ts";
import { createIdleMemory } from "./idle-memory.ts";
import { showRefused } from "./refused-lines.ts";
import { editorLink } from "./editor-link.ts";
import { JobNotebook } from "./job-notes.ts";
import { noteConsole } from "./note-console.ts";
import { createModuleRunner, type ModuleRunner, starterOf } from "./module-runner.ts";
import { createWatchedJobs } from "./watched-jobs.ts";

/** A request to the process to load a build. */
export interface LoadBuild extends Pick<Built, "outdir" | "entry" | "generation" | "replaced" | "dropped"> {
  /** The contract with which the project's contract is compared; undefined if there is none. */
  readonly committed: CommittedFile | undefined;
}

/** Why the latest files could not be built; without a reason, they were. */
export interface BuildFailure {
  readonly failure?: string | undefined;
}

/** Answers a `LoadBuild`. */
export interface LoadedBuild {
  readonly generation: number;
  /** `kept`: the build could not be loaded, and the last build keeps running. `failed`: nothing is served. */
  readonly outcome: "loaded" | "kept" | "failed";
  /** Address of the console; undefined if the service has no console, or if nothing is served. */
  readonly page?: string | undefined;
}

/** Data about the served build that the terminal shows. */
const shown = { service: "", tools: "", hasConsole: true, text: "", loadedAt: 0 };

/** Reasons why the latest files are not served: they could not be built, or not be loaded. */
const failures: { build?: string | undefined; load?: string | undefined } = {};

/** The contract with which the served build is compared. */
const contract: { committed?: CommittedFile | undefined } = {};

/** Prints the addresses of the service, at first and whenever they change. */
function tell(url: string): string | undefined {
  const page = shown.hasConsole ? `${url}/` : undefined;
  const rows = [
    ["service", shown.service],
    ["console", page ?? "off (TENON_CONSOLE)"],
    ["MCP", `${url}/mcp`],
    ["tools", shown.tools],
  ] as const;
  const text = rows.map(([name, value]) => `  ${paint("dim", name.padEnd(8))} ${value}`).join("\n");
  if (text !== shown.text) say(text);
  shown.text = text;
  return page;
}

/** The place of a tool's function, and the address that opens it. */
function sourceLink(place: string): { readonly place: string; readonly link: string } {
  const [, file = place, row = "1"] = /^(.+):(\d+)$/.exec(place) ?? [];
  return { place, link: editorLink(resolve(file), Number(row), 1) };
}

/** Maximum characters of a text that a job writes to the console. */
const longestLine = 10_000;

const write = limitedLines();
showRefused(write);

const notes = new JobNotebook(process.cwd(), (request) => logState().redactor.fields(request as JsonObject));
logState().listeners.add(({ time, level, name, message, fields }) => {
  const { text, rest } = splitErrors(fields);
  notes.log({ time, level, name, message: message + text, fields: rest });
});
noteConsole(console, (level, message) => {
  const id = host.jobOf?.();
  if (id === undefined) return;
  const clean = logState().redactor.text(message).slice(0, longestLine);
  notes.log({ time: Date.now(), level, name: "console", message: clean, fields: { job_id: id } });
});
watchCalls({
  jobOf: () => host.jobOf?.(),
  placeOf: () => ({ span: host.spanOf?.(), start: steps.getStore() }),
  note: (job, call) => notes.call(job, call),
  clean: (text) => logState().redactor.text(text),
});
const showCall = createCallLines(write);

/** Start event of the step in which code runs. */
const steps = new AsyncLocalStorage<object>();

const jobs = createWatchedJobs<JobEvent, JobOutcome>((job) => {
  showCall(job);
  notes.watch(job);
});

const host: DevHost = {
  running: undefined,
  started(job, start) {
    notes.begin(job.id, start);
    jobs.started(job);
  },
  began(job) {
    notes.built(job.id, shown.loadedAt);
    notes.began(job.id, job.input);
    jobs.began(job);
  },
  joined: (id, input, call) => notes.joined(id, input, call),
  debug: ({ id, tool }) => ({ ...notes.of(id), source: sourceLink(tool.definition.source) }),
  request: ({ id }) => notes.request(id),
  async saveExample({ id, tool }) {
    const request = notes.request(id);
    if (request === undefined) return { refusal: "The request of this job is not known here." };
    const { saveExample } = await import("./save-example.ts");
    const { isRequest } = tool.functions;
    const { source } = tool.definition;
    const { loadedAt } = shown;
    return saveExample({ root: process.cwd(), source, request, loadedAt, isRequest, isSecret: isSecretName });
  },
  noted: (id) => notes.brief(id),
  call: (job, call, key) => notes.call(job, call, key),
  span: (job, { error, ...span }) => notes.call(job, { kind: "span", ...span, ...(error !== undefined && { error }) }),
  inStep: (start, run) => steps.run(start, run),
  stepOf: () => steps.getStore(),
  loaded({ service, version, tools }, { console: hasConsole }) {
    shown.service = `${service.name} ${version}`;
    shown.tools = tools.map(({ name }) => name).join(", ");
    shown.hasConsole = hasConsole;
  },
  refused: (reason) => void (own.refusal = `The service does not start: ${reason}`),
  failure: () => failures.build ?? failures.load,
  async changes(definition) {
    const { committed } = contract;
    if (committed === undefined)
      return { against: null, absent: "The project has no service definition.", findings: [] };
    const { changesSince } = await import("../contracts/against/committed-contract.ts");
    // `tenon dev` serves batch services over REST, which must not count as a change of the contract.
    return changesSince(committed, JSON.stringify({ ...definition, "controller-schema": undefined }));
  },
  serve: async (service) => (await import("../../runtime/start/start.ts")).startLambdaServer(service),
};
Reflect.set(globalThis, devHostKey, host);

/** The module runner, after it was created, and the reason why the build that is being loaded does not start. */
const own: { runner?: ModuleRunner; refusal?: string | undefined } = {};

async function load({ outdir, entry, generation, replaced, dropped, committed }: LoadBuild): Promise<LoadedBuild> {
  const starter = join(outdir, starterOf(entry));
  process.argv[1] = starter;
  contract.committed = committed;
  // Sets the module that worker threads load, so that they run the newest build.
  Reflect.set(globalThis, entryKey, pathToFileURL(starter).href);
  host.forgetTools?.(new Set(replaced));
  shown.loadedAt = Date.now();
  own.refusal = undefined;
  try {
    const modules = (own.runner ??= createModuleRunner(outdir));
    modules.drop(dropped);
    await modules.run(entry);
    await host.running?.serving;
    failures.load = own.refusal;
    if (failures.load !== undefined) return notLoaded(generation, failures.load);
    // At a terminal, log lines show their position in the code.
    const log = logState();
    log.showsSource ||= log.format.kind === "pretty";
    return { generation, outcome: "loaded", page: host.running && tell(host.running.url) };
  } catch (error) {
    failures.load = foldFrames(splitErrors({ error: jsonSafe(error, describeThrown) }).text.trim());
    return notLoaded(generation, failures.load);
  }
}

function notLoaded(generation: number, reason: string): LoadedBuild {
  say(reason);
  if (host.running === undefined) return { generation, outcome: "failed" };
  say(paint("yellow", "The last good build keeps serving."));
  return { generation, outcome: "kept" };
}

const memory = createIdleMemory();
let loading: Promise<unknown> = Promise.resolve();
process.on("message", (build: LoadBuild | BuildFailure) => {
  if (!("entry" in build)) {
    failures.build = build.failure;
    return;
  }
  memory.work();
  // Builds are loaded in order: a second save must not overtake the first.
  loading = loading
    .then(() => load(build))
    .then((loaded) => {
      process.send?.(loaded);
      memory.rest();
    });
});
process.once("disconnect", () => process.exit(0));
