// A recording as a sidecar: for tests of a worker, without the platform that made it.
//
//   const replay = await startReplay(readRecording("three-jobs.jsonl"));
//   process.env.PLATFORM_BASE_URL = replay.url;        // start the worker; it ends by itself when all jobs are given
//   await replay.finished;                             // every recorded result was posted
//   expect(replay.differences()).toEqual([]);
//   await replay.stop();
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { ToolError } from "../../../runtime/base/errors.ts";
import { createRedactor } from "../../../runtime/telemetry/log/redact.ts";
import type { Exchange } from "../routes/exchange.ts";
import { startHttp } from "../routes/http-server.ts";
import { parseWithoutSecrets, type RecordedBody, type RecordedExchange } from "./recorder.ts";

export interface Replay {
  /** `PLATFORM_BASE_URL` of the worker. */
  readonly url: string;
  /** Resolves when every recorded result has been posted, with any content. */
  readonly finished: Promise<void>;
  /** Differences between the worker and the recording, one sentence each, including missing calls. */
  differences(): readonly string[];
  stop(): Promise<void>;
}

const bodyLimit = 16 * 1024 * 1024;
const done = JSON.stringify({ $schema: "urn:platform:schema.service.batch.done.1" });

/** Reads a recording. Throws an error that names an invalid line. */
export function readRecording(file: string): readonly RecordedExchange[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.flatMap((line, at) => {
    if (line.trim() === "") return [];
    try {
      const value = JSON.parse(line) as RecordedExchange;
      if (typeof value.request.path === "string" && typeof value.answer.status === "number") return [value];
    } catch {
      // The error is reported below, with the number of the line.
    }
    throw new ToolError("bad-request", `Line ${at + 1} of ${file} is not a recorded exchange.`);
  });
}

/** Plays a recording: hands out the recorded jobs in their order, then reports that there are no more. */
export async function startReplay(recording: readonly RecordedExchange[], port = 0): Promise<Replay> {
  const jobs = recording.filter((one) => phaseOf(one) === "next_job" && one.answer.status === 200);
  const expected = recording.filter((one) => comparedPhases.has(phaseOf(one)) && one.answer.status < 300);
  const others = recording.filter((one) => !ownPhases.has(phaseOf(one)));
  const found: string[] = [];
  const ended = Promise.withResolvers<void>();
  const redactor = createRedactor([]);
  const posted = new Set<string>();
  let given = 0;

  const lookForEnd = (): void => {
    if (!expected.some((one) => phaseOf(one) === "results")) ended.resolve();
  };

  async function handle(exchange: Exchange): Promise<void> {
    const [phase = "", id = "", below] = exchange.segments;
    const body = await exchange.body(bodyLimit);
    if (phase === "next_job") {
      const next = jobs[given++];
      if (next === undefined) exchange.send(200, ["Content-Type", "application/json"], done);
      else answer(exchange, next);
    } else if (phase === "jobs" && (below === "lease" || below === "release")) exchange.send(204);
    else if (comparedPhases.has(phase)) compare(exchange, phase, id, body);
    else {
      // Secrets are removed from the path, as in the recording.
      const path = pathOf(redactor.text(exchange.request.url ?? ""));
      const at = others.findIndex((one) => one.request.method === exchange.method && pathOf(one.request.path) === path);
      const [known] = at < 0 ? [] : others.splice(at, 1);
      if (known !== undefined) return answer(exchange, known);
      found.push(`${exchange.method} ${path} is not in the recording.`);
      exchange.json(404, { message: "The recording has no such call." });
    }
    return undefined;
  }

  function compare(exchange: Exchange, phase: string, id: string, body: Buffer): void {
    const at = expected.findIndex((one) => phaseOf(one) === phase && jobOf(one) === id);
    const [wanted] = at < 0 ? [] : expected.splice(at, 1);
    const name = `${phase === "events" ? "An event" : "The result"} of ${id}`;
    if (wanted === undefined) {
      // True for a repetition after a lost answer, which the platform would accept as well.
      const again = posted.has(`${phase} ${id} ${body.toString("base64")}`);
      if (!again) found.push(`${name} is not in the recording: ${shorten(body.toString())}`);
      return exchange.send(again ? 200 : 204);
    }
    posted.add(`${phase} ${id} ${body.toString("base64")}`);
    const [before, now] = [wanted.request.headers, exchange.headers()];
    for (const header of ["content-type", "is-error", "authorization", "job-attempt", "job-lease"]) {
      if (before[header] === now[header]) continue;
      found.push(
        `${name} has ${header} ${JSON.stringify(now[header])}, recorded was ${JSON.stringify(before[header])}.`,
      );
    }
    const [left, right] = [comparable(wanted.request), comparable(bodyLike(wanted.request, body))];
    if (!isDeepStrictEqual(left, right)) {
      found.push(`${name} is ${shorten(JSON.stringify(right))}, recorded was ${shorten(JSON.stringify(left))}.`);
    }
    exchange.send(wanted.answer.status);
    return lookForEnd();
  }

  const http = await startHttp({ host: "127.0.0.1", port }, (exchange) => {
    handle(exchange).catch((error: unknown) => exchange.fail(error));
  });
  lookForEnd();
  return {
    url: http.url,
    finished: ended.promise,
    differences: () => [
      ...found,
      ...jobs.slice(given).map((one) => `${String((one.answer.json as { id?: unknown }).id)} was not asked for.`),
      ...expected.map(
        (one) =>
          `${one.request.method} ${pathOf(one.request.path)} is missing: ${shorten(JSON.stringify(comparable(one.request)))}`,
      ),
    ],
    stop: () => http.close(),
  };
}

const byShape = createRedactor([]);
const comparedPhases: ReadonlySet<string> = new Set(["events", "results"]);
const ownPhases: ReadonlySet<string> = new Set([...comparedPhases, "next_job", "lease", "release"]);

/** Names the part of the sidecar protocol that a recorded call belongs to, for any service. */
function phaseOf({ request }: RecordedExchange): string {
  const parts = pathOf(request.path).split("/");
  // Paths below `jobs` are only counted for workers: requests of a job's callers have such paths as well.
  if (parts[1] === "jobs")
    return ownPhases.has(parts[3] ?? "") && request.method === "POST" ? (parts[3] ?? "") : "jobs";
  return parts[1] ?? "";
}

function jobOf({ request }: RecordedExchange): string {
  return decodeURIComponent(pathOf(request.path).split("/")[2] ?? "");
}

/** Returns the path below the base URL of a service, with its query unless the query only contains a wait time. */
function pathOf(path: string): string {
  const below =
    /^\/[^/?]+(\/(?:next_job|events|results|jobs|artifacts|aspects|services2)\b.*)$/.exec(path)?.[1] ?? path;
  return below.startsWith("/next_job") ? "/next_job" : below;
}

function answer(exchange: Exchange, { answer: { status, headers, ...body } }: RecordedExchange): void {
  exchange.send(
    status,
    Object.entries(headers)
      .filter(([name]) => name !== "content-length")
      .flat(),
    bytesOf(body),
  );
}

function bytesOf({ json, text, base64 }: RecordedBody): string | Buffer | undefined {
  if (json !== undefined) return JSON.stringify(json);
  return text ?? (base64 === undefined ? undefined : Buffer.from(base64, "base64"));
}

/** Converts a body to the form of the recorded body with which it is compared. */
function bodyLike(recorded: RecordedBody, body: Buffer): RecordedBody {
  if (recorded.base64 !== undefined) return { base64: body.toString("base64") };
  try {
    return recorded.json === undefined
      ? { text: byShape.text(body.toString()) }
      : { json: parseWithoutSecrets(body.toString()) };
  } catch {
    return { text: byShape.text(body.toString()) };
  }
}

/** Returns the parts of a body that are equal in every run, without times and stacks. */
function comparable({ json, text, base64 }: RecordedBody): unknown {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return json ?? text ?? base64;
  const { timestamp: _, stacktrace: __, ...rest } = json as Readonly<Record<string, unknown>>;
  return rest;
}

function shorten(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
