import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { currentJob, type CurrentJob } from "../../../../../runtime/job/current-job.ts";
import { jsonLines } from "../../../../../runtime/telemetry/log/json-line.ts";
import { levelWeights, type LogLevel, type LogRecord } from "../../../../../runtime/telemetry/log/log-record.ts";
import { addSecret, logState, openLog } from "../../../../../runtime/telemetry/log/log-state.ts";
import {
  chooseFormat,
  loadTarget,
  showsSource,
  type LogFormat,
} from "../../../../../runtime/telemetry/log/log-target.ts";
import { flushLogs, getLogger, loggingInit } from "../../../../../runtime/telemetry/log/logging.ts";

let lines: string[];
beforeEach(() => {
  lines = [];
  loggingInit({ level: "INFO", write: (line) => lines.push(line) });
});
afterEach(() => {
  const state = logState();
  state.early.clear();
  state.initialised = false;
  loggingInit({ write: () => {} });
});

async function logged(): Promise<readonly Readonly<Record<string, unknown>>[]> {
  await flushLogs();
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

const record: LogRecord = {
  time: Date.UTC(2026, 10, 20, 8, 39, 11, 5),
  level: "WARNING",
  name: "app",
  message: "hello",
  fields: { job_id: "urn:j", rows: 3 },
  source: undefined,
};

describe("looks", () => {
  const written = async (format: LogFormat, given: Partial<LogRecord> = {}): Promise<string> => {
    const out: string[] = [];
    (await loadTarget(format, (line) => out.push(line)))({ ...record, ...given });
    return out.join("");
  };

  it("JSON: what a terminal or an old parser would obey is escaped, and stays the same value", () => {
    const out: string[] = [];
    const text = "a\u2028b\u2029c\u202ed\u2066e\u009bf\u007fg\u0085h\u061ci\u001b[31mj\nk\\l\ud800";
    jsonLines((line) => out.push(line))({ ...record, message: text, fields: { [text]: text } });
    expect(out.join("")).toMatch(/^[\x20-\x7e]+\n$/);
    expect(JSON.parse(out.join(""))).toMatchObject({ msg: text, [text]: text });
  });

  it.each(Object.keys(levelWeights) as LogLevel[])("JSON, %s", (level) => {
    const out: string[] = [];
    jsonLines((line) => out.push(line))({ ...record, level });
    expect(out).toEqual([
      `{"level":"${level}","time":"2026-11-20T08:39:11.005Z","name":"app","job_id":"urn:j","rows":3,"msg":"hello"}\n`,
    ]);
  });

  it("JSON never has a name twice", async () => {
    expect(await written({ kind: "json" }, { fields: { level: 1, time: 2, name: 3, msg: 4 } })).toBe(
      '{"level":"WARNING","time":"2026-11-20T08:39:11.005Z","name":"app","level_":1,"time_":2,"name_":3,"msg_":4,"msg":"hello"}\n',
    );
  });

  it("text, with the stack and the causes of an error under it", async () => {
    const error = {
      type: "Error",
      message: "a",
      stack: "Error: a\n    at x",
      cause: { type: "TypeError", message: "b" },
    };
    expect(
      await written(
        { kind: "percent", text: "%(levelname)s (%(name)s) %(job_id)s: %(message)s" },
        { fields: { job_id: "urn:j", error } },
      ),
    ).toBe("WARNING (app) urn:j: hello\n  Error: a\n      at x\n  Caused by: TypeError: b\n");
  });

  it.each([
    [
      "%(levelname)s (%(name)s): %(message)s",
      "tenon",
      'WARNING (tenon): hello {"job_id":"urn:j","reason":"no\\nid"}\n',
    ],
    ["%(job_id)s: %(message)s", "tenon", 'urn:j: hello {"reason":"no\\nid"}\n'],
    ["%(message)s [%(taskName)s]", "tenon", 'hello {"reason":"no\\nid"} [urn:j]\n'],
    ["%(name)s: %(message)s%(job_id).0s", "tenon", 'tenon: hello {"reason":"no\\nid"}\n'],
    ["%(name)s: %(message)s", "app", 'app: hello {"reason":"no\\nid"}\n'],
  ])("text in the format %s of a record of %s, with its fields", async (text, name, line) => {
    const fields = { job_id: "urn:j", tool: "t", trace_id: "x", reason: "no\nid" };
    expect(await written({ kind: "percent", text }, { name, fields })).toBe(line);
  });

  it("text in which nothing passes for a record of its own, or controls a terminal", async () => {
    const message = "a\nINFO (app): spoofed \u001b[2J\u009b31m\u202e";
    const error = { type: "Error", message, stack: `Error: ${message}` };
    const fields = { error, key: "\u009b2J" };
    const texts = [
      await written({ kind: "percent", text: "%(levelname)s (%(name)s): %(message)s" }, { message, fields }),
      await written({ kind: "pretty", colours: false }, { message, name: "a\nb", fields }),
    ];
    for (const text of texts) {
      expect(text).toContain(String.raw`spoofed \u001b[2J\u009b31m\u202e`);
      expect(text).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
      expect(text.split("\n").filter((line) => /^\S/.test(line))).toHaveLength(1);
    }
  });

  it.each<[unknown, string]>([
    [
      { $schema: "urn:platform:schema:service.event.step.start.1", name: "load", options: { message: "begins", n: 3 } },
      'step.start load begins {"n":3}',
    ],
    [{ $schema: "urn:platform:schema:service.event.step.finish.1", name: "load", options: {} }, "step.finish load"],
    [
      { $schema: "urn:platform:schema:service.event.step.error.1", context: "load", error: "no line" },
      "step.error load no line",
    ],
    [
      { $schema: "urn:platform:schema:service.event.generic.1", name: "page", options: "half way" },
      "generic page half way",
    ],
    [
      { $schema: "urn:example:schema:token.1", name: "token", options: { at: 7 } },
      'urn:example:schema:token.1 token {"at":7}',
    ],
  ])("text, of the event %j", async (event, line) => {
    const format = { kind: "percent", text: "%(name)s %(tool)s: %(message)s" } as const;
    const message = (event as { $schema: string }).$schema;
    const fields = { job_id: "urn:j", tool: "prime", event: event as never };
    expect(await written(format, { name: "event", message, fields })).toBe(`event prime: ${line}\n`);
  });

  it("text, with errors of other names, and several in one", async () => {
    const one = { type: "Error", message: "one", stack: "Error: one\n    at x" };
    const all = { type: "AggregateError", message: "all", stack: "AggregateError: all\n    at y", errors: [one] };
    expect(await written({ kind: "pretty", colours: false }, { fields: { rows: 3, err: one, all } })).toMatch(
      / WARNING \(app\): hello \{"rows":3\}\n {2}err: Error: one\n {6}at x\n {2}all: AggregateError: all\n {6}at y\n {2}One of them: Error: one\n {6}at x\n$/,
    );
  });

  it("a terminal", async () => {
    const plain = await written({ kind: "pretty", colours: false });
    expect(plain).toMatch(/^\[\d\d:\d\d:11\.005\] WARNING \(app\): hello \{"rows":3\}\n$/);
    expect(await written({ kind: "pretty", colours: true })).toContain("\u001b[");
  });

  it("a terminal has the place in the code where it is known, no ids, and calls of packages folded", async () => {
    const stack = [
      "Error: a",
      "    at mine (/app/src/mine.ts:1:2)",
      "    at run (/app/node_modules/x/index.js:1:1)",
      "    at node:internal/timers:1:1",
      "    at file:///app/src/other.ts:3:4",
      `    at execute (${new URL("../../../../../runtime/executor/run/run-job.ts", import.meta.url).href}:1:1)`,
    ].join("\n");
    const source = { path: "/app/src/mine.ts", line: 7, function: "mine" };
    const fields = { job_id: "urn:j", trace_id: "t", span_id: "s", error: { type: "Error", message: "a", stack } };
    expect(await written({ kind: "pretty", colours: false }, { fields, source })).toMatch(
      / WARNING \(app\): hello \/app\/src\/mine\.ts:7\n {2}Error: a\n {6}at mine \(.*\n {6}… 2 calls of packages\n {6}at file:.*\n {6}… 1 call of packages\n$/,
    );
    const foreign = { type: "Error", message: "a", stack: "Error: a\n    at node:internal/timers:1:1" };
    expect(await written({ kind: "pretty", colours: false }, { fields: { error: foreign } })).toContain("at node:");
    const ours = { ...foreign, stack: `Error: a\n${stack.split("\n").at(-1)}\n    at node:internal/timers:1:1` };
    expect(await written({ kind: "pretty", colours: false }, { fields: { error: ours } })).toMatch(
      /Error: a\n {6}… 2 calls of packages\n$/,
    );
  });

  it.each<[Parameters<typeof chooseFormat>[0], LogFormat]>([
    [{ format: undefined, isTerminal: false, noColour: false }, { kind: "json" }],
    [{ format: "", isTerminal: false, noColour: false }, { kind: "json" }],
    [
      { format: undefined, isTerminal: true, noColour: false },
      { kind: "pretty", colours: true },
    ],
    [
      { format: undefined, isTerminal: true, noColour: true },
      { kind: "pretty", colours: false },
    ],
    [
      { format: "%(message)s", isTerminal: true, noColour: false },
      { kind: "percent", text: "%(message)s" },
    ],
  ])("%j", (surroundings, expected) => {
    expect(chooseFormat(surroundings)).toEqual(expected);
  });

  it("asks for the place in the code only where it is shown", () => {
    expect(showsSource({ kind: "percent", text: "%(lineno)d" })).toBe(true);
    expect(showsSource({ kind: "percent", text: "%(message)s" })).toBe(false);
    expect(showsSource({ kind: "json" })).toBe(false);
  });
});

describe("records", () => {
  it("without the last hundred secrets that were learned, which a new start of the log keeps", async () => {
    for (let index = 0; index < 150; index++) addSecret(`learned-${index}-end`);
    addSecret("learned-60-end");
    addSecret("learned-150-end");
    loggingInit({ level: "INFO", write: (line) => lines.push(line) });
    getLogger("a").info("learned-0-end learned-50-end learned-51-end learned-60-end learned-150-end");
    await flushLogs();
    expect(lines.at(-1)).toContain('"learned-0-end learned-50-end [redacted] [redacted] [redacted]"');
  });

  it("from the level on, with fields and bindings", async () => {
    const logger = getLogger("app").child({ a: 1 });
    logger.debug("no");
    logger.info("plain");
    logger.warn({ b: 2n, c: undefined }, "fields");
    logger.fatal({ a: 3 }, "own ones win");
    expect(await logged()).toMatchObject([
      { level: "INFO", name: "app", a: 1, msg: "plain" },
      { level: "WARNING", a: 1, b: "2", msg: "fields" },
      { level: "CRITICAL", a: 3, msg: "own ones win" },
    ]);
  });

  it("an error, alone or as a field", async () => {
    const error = new RangeError("no", { cause: "why" });
    getLogger("app").error(error);
    getLogger("app").error(error, "said");
    getLogger("app").error({ failure: error }, "field");
    const described = {
      type: "RangeError",
      message: "no",
      stack: expect.any(String),
      cause: { type: "string", message: "why" },
    };
    expect(await logged()).toMatchObject([
      { msg: "no", error: described },
      { msg: "said", error: described },
      { msg: "field", failure: described },
    ]);
  });

  it("an error at any depth, with its code, and all of an AggregateError", async () => {
    const refused = Object.assign(new Error("no"), { code: "ECONNREFUSED" });
    const fields = {
      err: refused,
      deep: { list: [new AggregateError([refused], "all")] },
      map: new Map([["m", refused]]),
    };
    getLogger("app").error(fields, "x");
    const described = { type: "Error", message: "no", code: "ECONNREFUSED", stack: expect.any(String) };
    expect(await logged()).toMatchObject([
      { err: described, deep: { list: [{ type: "AggregateError", errors: [described] }] }, map: { m: described } },
    ]);
  });

  it("what cannot be read is no reason to throw", async () => {
    const logger = getLogger("app") as { info: (...args: unknown[]) => void };
    const hostile = {
      get broken(): never {
        throw new Error("no");
      },
    };
    const silent = {
      toString(): never {
        throw new Error("no");
      },
    };
    logger.info({ a: 1, hostile, toJSON: () => 1 }, silent);
    logger.info(Object.defineProperty({ b: 2 }, "c", { enumerable: true, get: () => hostile.broken }), "getter");
    for (const first of [undefined, null, 5, Symbol("s")]) logger.info(first);
    logger.info(null, "text");
    logger.info(Proxy.revocable({}, {}).proxy, "proxy");
    expect(await logged()).toMatchObject([
      { a: 1, hostile: "[object Object]", msg: "[not printable]" },
      { b: 2, c: "[not readable]", msg: "getter" },
      { msg: "undefined" },
      { msg: "null" },
      { msg: "5" },
      { msg: "Symbol(s)" },
      { msg: "text" },
      { msg: "proxy" },
    ]);
  });

  const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
  const job = {
    id: "urn:platform:job:1",
    tool: { name: "t" },
    authorization: "Bearer job-token",
    traceparent,
  } as Partial<CurrentJob> as CurrentJob;

  it("a request that is logged as it came does not pass for another job", async () => {
    currentJob.run(job, () => getLogger("app").info({ job_id: "urn:platform:job:2", tool: "t" }, "x"));
    expect(await logged()).toMatchObject([{ job_id: job.id, job_id_: "urn:platform:job:2", tool: "t" }]);
    expect((await logged())[0]).not.toHaveProperty("tool_");
  });

  it("inside a job its ids, and its token taken out", async () => {
    currentJob.run(job, () => getLogger("app").info({ note: "has job-token in it" }, "x"));
    expect(await logged()).toMatchObject([
      {
        job_id: "urn:platform:job:1",
        tool: "t",
        trace_id: "a".repeat(32),
        span_id: "b".repeat(16),
        note: "has [redacted] in it",
      },
    ]);
  });

  it("are in order, also those from before the target was loaded", async () => {
    for (let count = 0; count < 5; count++) getLogger("app").info(String(count));
    await flushLogs();
    getLogger("app").info("5");
    expect((await logged()).map(({ msg }) => msg)).toEqual(["0", "1", "2", "3", "4", "5"]);
  });

  it("anything can be logged", async () => {
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    getLogger("app").info({ cycle, nan: Number.NaN, symbol: Symbol("s"), map: new Map([["a", 1]]) }, "x");
    expect(await logged()).toMatchObject([{ nan: "NaN", symbol: "Symbol(s)", map: { a: 1 }, msg: "x" }]);
  });
});

describe("a late loggingInit", () => {
  const late = async (call: () => void): Promise<string> => {
    const state = logState();
    call();
    // The default target is stderr, which a test does not read.
    state.write = (line) => lines.push(line);
    await flushLogs();
    return String((await logged()).at(-1)?.["msg"] ?? "");
  };

  it("is told with its place when records were written or dropped by another level before", async () => {
    const state = logState();
    openLog(state, {});
    getLogger("author").debug("dropped");
    expect(await late(() => loggingInit({ level: "DEBUG" }))).toMatch(
      /^loggingInit\(\) at .*logging\.test\.ts:\d+ is late: it must be called before the first record, which had another level\. Call it once, at the top of the entry\.$/,
    );
  });

  it("is not told when loggers were made before, and nothing is lost", async () => {
    const state = logState();
    openLog(state, {});
    const log = getLogger("module");
    expect(await late(() => loggingInit({ level: "DEBUG" }))).toBe("");
    openLog(state, {});
    state.initialised = false;
    log.info("a record while modules load");
    expect(await late(() => loggingInit())).not.toContain("is late");
  });

  it("is told when it was called before", async () => {
    logState().early.clear();
    loggingInit();
    expect(await late(() => loggingInit())).toMatch(/is late: it has been called already\. /);
  });

  it("is not told for the first call", async () => {
    logState().early.clear();
    expect(await late(() => loggingInit())).toBe("");
  });
});

describe("bytes", () => {
  const bytes = Buffer.from("hidden");

  it("are counted, not printed, at any depth", async () => {
    const deep = {
      bytes,
      list: [new Uint8Array(3), new ArrayBuffer(4), new Float32Array(2)],
      map: new Map([["a", bytes]]),
    };
    getLogger("a").info({ bytes, deep, thrown: Object.assign(new Error("no"), { bytes }) }, "here");
    const [line] = await logged();
    expect(line).toMatchObject({
      bytes: "[6 bytes]",
      deep: { bytes: "[6 bytes]", list: ["[3 bytes]", "[4 bytes]", "[8 bytes]"], map: { a: "[6 bytes]" } },
    });
    for (const form of ["hidden", bytes.toString("base64"), "104,105"]) expect(lines.join("")).not.toContain(form);
  });

  it("are counted also as the first argument, and as a message", async () => {
    getLogger("a").info(bytes as never, "here");
    getLogger("a").info({}, bytes as never);
    expect(await logged()).toMatchObject([{ value: "[6 bytes]", msg: "here" }, { msg: "[6 bytes]" }]);
  });
});
