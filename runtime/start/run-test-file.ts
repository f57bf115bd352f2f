import { readFileSync } from "node:fs";
import { findTool } from "./parts/describe.ts";
import { ToolError } from "../base/errors.ts";
import { parseJsonBody } from "../fronts/http/parse-json.ts";
import { problemKinds } from "../base/problem-kinds.ts";
import { collectResult } from "../job/result-stream.ts";
import { parseJobId } from "../job/job-id.ts";
import type { Job, JobResult, Submission } from "../job/job.ts";
import { installStrayErrorHandlers } from "../executor/run/stray-errors.ts";
import { deliveryToLog } from "../outside/platform/delivery/delivery-to-log.ts";
import type { Config } from "../service/config/config.ts";
import type { Served } from "../service/served.ts";
import { StartError, UsageError } from "../base/start-error.ts";
import { startTelemetry } from "../telemetry/start-telemetry.ts";
import { openWorkplace } from "./parts/open-workplace.ts";
import type { Tool } from "../service/tools/tool.ts";
import { runStopHook, startObserved } from "./parts/service-hooks.ts";

/** Output of `--test-file`. */
export interface TestRun {
  readonly code: 0 | 1;
  /** Text for stdout. */
  readonly output: string;
  /** Text for stderr. */
  readonly problem: string;
}

/**
 * Runs one request from a file: a job envelope, or the bare request. Throws `StartError`.
 * @param worker The tool to run when the command line names none
 */
export async function runTestFile(path: string, served: Served, config: Config, worker?: Tool): Promise<TestRun> {
  const { tools } = served;
  const { flags } = config;
  const tool = worker !== undefined && flags.tool === undefined ? worker : chooseTool(tools, flags.tool);
  const submission = readSubmission(path, tool);
  const telemetry = await startTelemetry({ served, config, kind: "server" });
  const onEnd = (): Promise<void> => runStopHook(served.service);
  await startObserved(served.service, config, telemetry);
  // The events of the job go to the log. Its result is the output of the run.
  const workplace = openWorkplace({ config, tools, telemetry, delivery: deliveryToLog(config), onEnd });
  const unknown = Promise.withResolvers<TestRun>();
  const removeHandlers = installStrayErrorHandlers((error) => unknown.resolve(failed(error)));
  // The interval keeps the process alive: a job may be waiting only for its signal, which does not keep Node running.
  const alive = setInterval(() => {}, 2 ** 31 - 1);
  try {
    const run = await Promise.race([runToTheEnd(workplace.executor.start(submission)), unknown.promise]);
    await workplace.drain(0);
    await workplace.close();
    return run;
  } finally {
    clearInterval(alive);
    removeHandlers();
  }
}

async function runToTheEnd(job: Job): Promise<TestRun> {
  const outcome = await job.done;
  if (outcome.state !== "succeeded") return failed(outcome.error);
  try {
    return { code: 0, output: `${asJson(await collectResult(outcome.result))}\n`, problem: "" };
  } catch (thrown) {
    return failed(thrown);
  }
}

function failed(thrown: unknown): TestRun {
  return { code: 1, output: "", problem: explain(ToolError.from(thrown)) };
}

function chooseTool(tools: readonly Tool[], name: string | undefined): Tool {
  if (name !== undefined) return findTool(tools, name);
  const [only, ...others] = tools;
  if (only !== undefined && others.length === 0) return only;
  const names = tools.map((tool) => tool.name).join(", ");
  throw new UsageError(`--test-file needs --tool NAME, since the service has several: ${names}.`);
}

function readSubmission(path: string, tool: Tool): Submission {
  let content: unknown;
  try {
    content = parseJsonBody(readFileSync(path));
  } catch (error) {
    if (error instanceof ToolError) throw new StartError(`The test file ${path} is not usable: ${error.message}`);
    throw new StartError(
      `The test file ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown"}).`,
    );
  }
  if (!isEnvelope(content)) return { tool, input: content };
  const type = content["in-content-type"] ?? "application/json";
  if (type !== "application/json") {
    throw new StartError(
      `The test file ${path} has in-content-type ${JSON.stringify(type)}; only application/json is run.`,
    );
  }
  const id = typeof content["id"] === "string" ? parseJobId(content["id"]) : undefined;
  if (content["id"] !== undefined && id === undefined) {
    throw new StartError(`The test file ${path} has the id ${JSON.stringify(content["id"])}, which is not a job id.`);
  }
  return { tool, input: content["in-content"], ...(id !== undefined && { id }) };
}

function isEnvelope(content: unknown): content is Readonly<Record<string, unknown>> {
  return typeof content === "object" && content !== null && Object.hasOwn(content, "in-content");
}

function asJson(result: JobResult): string {
  if (result.kind === "json") return result.json;
  if (result.kind === "text") return JSON.stringify(result.text);
  const { contentType, content } = result;
  const bytes = typeof content === "string" || content instanceof Uint8Array ? Buffer.from(content) : Buffer.alloc(0);
  return JSON.stringify({ "content-type": contentType, content: bytes.toString("base64") });
}

function explain({ kind, message, problems = [] }: ToolError): string {
  const lines = problems.map((problem) => `  ${problem.path === "" ? "(request)" : problem.path}: ${problem.message}`);
  const head = kind === "validation" ? message : `${problemKinds[kind].title}: ${message}`;
  return `${[head, ...lines].join("\n")}\n`;
}
