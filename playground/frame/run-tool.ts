/**
 * The worker of the sandboxed frame. It evaluates the visitor's module, as the build has written it, and runs one job
 * by the runtime's own code: request and result are checked as in a service.
 */
import { ToolError } from "../../runtime/base/errors.ts";
import { problemKinds } from "../../runtime/base/problem-kinds.ts";
import { runJob } from "../../runtime/executor/run/run-job.ts";
import { problemBody } from "../../runtime/fronts/http/problem.ts";
import * as internal from "../../runtime/internal.ts";
import type { JobOutcome } from "../../runtime/job/job.ts";
import { RecordedRun } from "../../runtime/kits/testing/recorded-job.ts";
import { resolveTools } from "../../runtime/service/tools/resolve-tools.ts";
import type { FrameAnswer, FrameCall } from "../page/messages.ts";
import type { Tool } from "../../runtime/service/tools/tool.ts";
import * as author from "./author-module.ts";
import { logLines } from "./node/logging.ts";
import { addWebCrypto } from "./node/web-crypto.ts";

interface WorkerScope {
  addEventListener(type: "message", listener: (event: { readonly data: FrameCall }) => void): void;
  postMessage(message: FrameAnswer): void;
}

type Evaluate = (exports: object, require: (name: string) => object) => Promise<void>;

const scope = globalThis as unknown as WorkerScope;
const AsyncFunction = (async () => {}).constructor as new (...texts: string[]) => Evaluate;
const modules: Readonly<Record<string, object>> = { tenon: author, "tenon/internal": internal };

addWebCrypto();
scope.addEventListener("message", ({ data }) => {
  answer(data)
    .then((done) => scope.postMessage(done))
    // An answer with a part that cannot be copied would never come.
    .catch((error: unknown) => scope.postMessage({ failure: describe(error), logs: [] }));
});

async function answer(call: FrameCall): Promise<FrameAnswer> {
  let tool: Tool | undefined;
  try {
    await new AsyncFunction("exports", "require", call.script)({}, requireByName);
    tool = resolveTools().find(({ name }) => name === call.name);
  } catch (error) {
    return { failure: `The module cannot be loaded: ${describe(error)}`, logs: logLines() };
  }
  if (tool === undefined) return { failure: `The module has no tool \`${call.name}\`.`, logs: logLines() };
  let input: unknown;
  try {
    input = JSON.parse(call.body);
  } catch (error) {
    const refusal = new ToolError("malformed-json", `The body is not JSON: ${describe(error)}`);
    return problem(refusal, call.jobId);
  }
  const run = new RecordedRun(tool, input, { jobId: call.jobId });
  runJob(run);
  const answered = await answerOf(await run.done, call.jobId);
  return { ...answered, events: run.recording.events };
}

async function answerOf(outcome: JobOutcome, jobId: string): Promise<FrameAnswer> {
  if (outcome.state !== "succeeded") return problem(outcome.error, jobId);
  const { result } = outcome;
  const logs = logLines();
  if (result.kind === "json") return { status: 200, type: "application/json", body: result.json, logs };
  if (result.kind === "text") return { status: 200, type: "text/plain", body: result.text, logs };
  const { content } = result;
  // The recorded job has collected a stream.
  const body = content instanceof ReadableStream ? "" : typeof content === "string" ? content : copyOf(content);
  return { status: 200, type: result.contentType, body, logs };
}

function copyOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

function problem(error: ToolError, jobId: string): FrameAnswer {
  return {
    status: problemKinds[error.kind].status,
    type: "application/problem+json",
    body: JSON.stringify(problemBody(error, jobId)),
    logs: logLines(),
  };
}

function requireByName(name: string): object {
  const found = modules[name];
  if (found === undefined) throw new Error(`the playground has only the module \`tenon\`, and not \`${name}\`.`);
  return found;
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
