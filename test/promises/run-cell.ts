import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import type { Called, Caller } from "./callers/caller.ts";
import { difference } from "./matches.ts";
import { start } from "./process.ts";
import type { Built } from "./project.ts";
import type { CallStep, GetStep, Promised, Setting, Step } from "./promise.ts";
import type { Scene } from "./scene.ts";
import { programs, type Serving } from "./serving.ts";
import type { Way } from "./ways.ts";

/** Everything that a promise needs in a way. */
export interface Stage {
  readonly built: Built;
  readonly way: Way;
  readonly scene: Scene;
  readonly serving: Serving;
  readonly caller: Caller;
  readonly setting: Setting;
  /** Ends the processes when all cells have called this, and gives their codes. */
  readonly end: () => Promise<readonly (number | null)[]>;
}

/** The steps of a promise in a way, or the reason why it is not for it. */
export function stepsOf(promised: Promised, way: Way): readonly Step[] | string {
  const reason = promised.except?.(way);
  return reason ?? promised.elsewhere?.[way.serve] ?? promised.steps;
}

/** Carries out the steps. @throws Error that tells which step came out otherwise, and how */
export async function runCell(promised: Promised, stage: Stage): Promise<void> {
  const steps = stepsOf(promised, stage.way);
  if (typeof steps === "string") return;
  const token = randomUUID();
  const run: Run = { ...stage, token, called: {} };
  for (const written of steps) {
    const step = filled(written, token);
    const found = await runStep(step, run);
    if (found !== undefined) throw new Error(`${JSON.stringify(written).slice(0, 300)}: ${found}`);
  }
}

interface Run extends Stage {
  /** Unlike that of any other cell, in the place of `{token}`. */
  readonly token: string;
  /** The last call. */
  called: Called;
}

async function runStep(step: Step, run: Run): Promise<string | undefined> {
  const { built, scene, serving, way } = run;
  if ("call" in step) {
    run.called = await runCall(step, run);
    return difference(run.called, step.out ?? {});
  }
  if ("ask" in step) {
    const answer = await run.caller.ask?.(step.ask, step.params, await bearerOf(run)).catch((error: Error) => error);
    return difference(answer instanceof Error ? { error: answer.message } : answer, step.out);
  }
  if ("get" in step) {
    const until = performance.now() + (step.soon === true ? 40_000 : 0);
    for (;;) {
      const found = await read(step, run);
      if (found === undefined || performance.now() > until) return found;
      await pause(250);
    }
  }
  if ("run" in step) {
    const { PATH = "", HOME = "" } = process.env;
    const file = join(built.folder, `${run.token}.json`);
    if (step.file !== undefined) writeFileSync(file, JSON.stringify(step.file));
    const env = { PATH, HOME, NO_COLOR: "1", ...step.env };
    const words = ["--enable-source-maps", built.file, ...step.run.map((word) => word.replace("{file}", file))];
    const { child, ended, stderr } = start(words, { node: programs[way.node], cwd: built.folder, env });
    const stdout = await text(child.stdout);
    const code = await ended;
    const json = step.out.json === undefined ? undefined : (JSON.parse(stdout) as unknown);
    const out = step.out.json === "{definition}" ? { ...step.out, json: built.definition } : step.out;
    return difference({ code, stdout, stderr: stderr(), json }, out);
  }
  const [first] = serving.processes;
  const stderr = (): string => serving.processes.map((one) => one.stderr()).join("");
  if ("stop" in step) {
    const codes = await run.end();
    const code = codes.find((one) => one !== step.out.code) ?? step.out.code;
    return difference({ code, stderr: stderr() }, step.out);
  }
  if ("heard" in step) return heard(step.heard, run);
  if ("span" in step) {
    const expected = { traceId: run.token.replaceAll("-", ""), ...step.span };
    const { traceId } = expected;
    const seen = (): true | undefined =>
      scene.spans(traceId).some((span) => !difference(span, expected)) ? true : undefined;
    const ours = (): string =>
      scene
        .spans(traceId)
        .map((span) => JSON.stringify(span, plain))
        .join("\n");
    await scene.changes.until(seen, () => `no such span among:\n${ours()}`);
    return undefined;
  }
  const expected = { ...(step.ofJob !== false && { job_id: run.called.jobId }), ...step.logged };
  const lines = (): readonly Readonly<Record<string, unknown>>[] => serving.processes.flatMap((one) => one.log());
  const seen = (): true | undefined => (lines().some((line) => !difference(line, expected)) ? true : undefined);
  await first?.changes.until(seen, () => `no such line of ${run.called.jobId} in the log:\n${stderr().slice(-3000)}`);
  return undefined;
}

/** Reads a route, and says how the answer differs from the expected one. */
async function read(step: GetStep, run: Run): Promise<string | undefined> {
  const bearer = await bearerOf(run);
  const url = `${run.serving.url}${step.get.replace("{job}", run.called.jobId ?? "")}`;
  const answer = await fetch(url, {
    headers: {
      accept: step.accept ?? "*/*",
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...step.headers,
    },
  });
  const said = await answer.text();
  const type = answer.headers.get("content-type") ?? "";
  const body = type.includes("json") ? (JSON.parse(said) as unknown) : said;
  return difference({ status: answer.status, type, body }, step.out);
}

function plain(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

async function heard(
  { path, headers = {} }: { path: string; headers?: Readonly<Record<string, unknown>> },
  run: Run,
): Promise<string | undefined> {
  const { scene, called } = run;
  const found = await scene.changes.until(
    () => scene.heard(path),
    () =>
      `nobody sent a request to ${path}:\n${run.serving.processes.map((one) => one.stderr().slice(-3000)).join("\n")}`,
  );
  const wanted = Object.entries(headers).map(([name, value]) => [name, value === "{job}" ? called.jobId : value]);
  return difference(found, Object.fromEntries(wanted));
}

/** The token of a caller, where one is asked for. */
async function bearerOf({ scene, setting, way }: Run, caller: CallStep["caller"] = "ann"): Promise<string | undefined> {
  const isAsked = setting === "guarded" && way.serve !== "batch" && way.serve !== "stdio";
  return isAsked ? scene.tokenOf(caller) : undefined;
}

async function runCall(step: CallStep, run: Run): Promise<Called> {
  const { caller, scene, token, way } = run;
  const call = way.serve === "thread" ? `${step.call}InThread` : step.call;
  const bearer = await bearerOf(run, step.caller);
  const running = async (): Promise<void> => {
    await scene.changes.until(
      () => scene.heard(`/running/${token}`),
      () => "the tool does not run",
    );
  };
  return caller.call({ ...step, call, token: bearer, running });
}

/** The step with the token of the cell, and with its trace. */
function filled<T>(value: T, token: string): T {
  const inText = (text: string): string =>
    text.replaceAll("{token}", token).replaceAll("{trace}", token.replaceAll("-", ""));
  if (value instanceof RegExp) return new RegExp(inText(value.source), value.flags) as T;
  if (typeof value === "string") return inText(value) as T;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => filled(one as unknown, token)) as T;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [inText(key), filled(one as unknown, token)]),
  ) as T;
}
