import { join } from "node:path";
import { visibleRecord } from "../../runtime/base/visible-text.ts";
import { baseAddress } from "../base/address-option.ts";
import { bundle } from "../build/bundle.ts";
import type { CallAnswer, Listener } from "../call/call-answer.ts";
import { callMcp } from "../call/call-mcp.ts";
import { describeFailure } from "../base/describe-failure.ts";
import { callRest } from "../call/call-rest.ts";
import { readRequest } from "../call/read-request.ts";
import { paint, printBytes, printText, say, sayLine } from "../base/output.ts";
import { writeResult } from "../base/write-result.ts";
import { findProject } from "../project/project.ts";
import { startService } from "../call/service-process.ts";
import { type Arguments, CommandError, UsageError, type CommandHelp, withArguments } from "../base/usage.ts";

export const help: CommandHelp = {
  usage: "tenon call <tool> [json|@file|name=value …] [options]",
  summary:
    "Calls a tool and shows its steps as they happen; the result goes to standard output. Without --url the service is built and run for this one call, and its log is shown as well.",
  options: {
    url: { type: "string", value: "URL", help: "a running service; one that ends in /mcp is called over MCP" },
    entry: { type: "string", value: "FILE", help: "entry of the service to build, default src/service.ts" },
    mcp: { type: "boolean", help: "call over MCP instead of REST" },
    output: { type: "string", short: "o", value: "FILE", help: "write the result into a file, bytes as they are" },
    json: { type: "boolean", help: "print nothing but the result" },
  },
  examples: [
    "tenon call isPrime number=997",
    `tenon call isPrime '{"number": 997}'`,
    "tenon call isPrime @request.json --url http://127.0.0.1:8090",
  ],
};

export function run(words: readonly string[]): Promise<number> {
  return withArguments(words, help, Number.POSITIVE_INFINITY, carryOut);
}

async function carryOut(given: Arguments): Promise<number> {
  const [tool, ...sources] = given.positionals;
  if (tool === undefined) throw new UsageError(`Name the tool. Usage: ${help.usage}`);
  const request = readRequest(sources);
  const quiet = given.flag("json");
  const held: string[] = [];
  const onStep: Listener = (line) => {
    if (quiet) held.push(line);
    else showStep(line);
  };
  const url = given.text("url");
  const answer =
    url === undefined
      ? await callBuilt(given.text("entry"), tool, request, given.flag("mcp"), onStep)
      : await callAt(url, tool, request, given.flag("mcp"), onStep);
  const file = given.text("output");
  if (answer.ok && file !== undefined) writeResult(file, answer.bytes ?? `${answer.text}\n`);
  else if (answer.bytes !== undefined && !(answer.isReadable && process.stdout.isTTY))
    printBytes(answer.bytes, answer.text);
  else if (answer.ok) printText(`${answer.text}\n`);
  else {
    // The held lines contain the reason of a failure.
    for (const line of held) showStep(line);
    say(visibleRecord(answer.text));
  }
  return answer.ok ? 0 : 1;
}

/** Shows a step, or a line of the log of a service that was built for the call. */
function showStep(line: string): void {
  sayLine(paint("dim", `  ${line}`));
}

async function callBuilt(
  entry: string | undefined,
  tool: string,
  request: unknown,
  mcp: boolean,
  onStep: Listener,
): Promise<CallAnswer> {
  const project = findProject(entry);
  const outdir = join(project.root, ".tenon", "call");
  const { files } = await bundle(project, { quiet: true, outdir, definition: false });
  const file = files.find((one) => one.entry)?.file;
  if (file === undefined) throw new CommandError("The build wrote no entry.");
  const service = await startService(join(outdir, file), mcp ? ["--with-mcp"] : [], onStep);
  try {
    return await callAt(service.url, tool, request, mcp, onStep);
  } finally {
    await service.stop();
  }
}

async function callAt(
  url: string,
  tool: string,
  request: unknown,
  mcp: boolean,
  onStep: Listener,
): Promise<CallAnswer> {
  const base = baseAddress(url, "service");
  try {
    if (mcp || base.endsWith("/mcp"))
      return await callMcp(base.endsWith("/mcp") ? base : `${base}/mcp`, tool, request, onStep);
    return await callRest(base, tool, request, onStep);
  } catch (error) {
    const failure = describeFailure(base, error);
    throw failure === undefined ? error : new CommandError(failure);
  }
}
