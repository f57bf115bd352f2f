import { spawn } from "node:child_process";
import { ToolError } from "../../runtime/base/errors.ts";
import { readRecording, startReplay, type Replay } from "../local-platform/traffic/replay.ts";
import { ListenError } from "../local-platform/routes/http-server.ts";
import { exchangesOf, servicesIn } from "../local-platform/traffic/recorded-services.ts";
import type { RecordedExchange } from "../local-platform/traffic/recorder.ts";
import { paint, printJson, say, sayLine } from "../base/output.ts";
import { CommandError, UsageError, withArguments, type Arguments, type CommandHelp } from "../base/usage.ts";
import { checkFile } from "./files.ts";

export const help: CommandHelp = {
  usage: "tenon platform replay FILE [options] [-- command…]",
  summary:
    "Plays a recording back as a sidecar, and shows the differences in the worker's calls. With a command the worker is started with PLATFORM_BASE_URL; exit code 1 when there are differences.",
  options: {
    port: { type: "string", short: "p", value: "PORT", help: "port to listen on, default any that is free" },
    service: { type: "string", value: "KEY", help: "whose jobs, where several services were recorded" },
    json: { type: "boolean", help: "print the differences as JSON" },
  },
  examples: ["tenon platform replay jobs.jsonl -- node dist/service.mjs"],
};

export function run(words: readonly string[]): Promise<number> {
  const end = words.indexOf("--");
  const command = end < 0 ? [] : words.slice(end + 1);
  return withArguments(end < 0 ? words : words.slice(0, end), help, 1, (given) => carryOut(given, command));
}

async function carryOut(given: Arguments, command: readonly string[]): Promise<number> {
  const [file] = given.positionals;
  if (file === undefined) throw new UsageError(`Name the recording. Usage: ${help.usage}`);
  const port = Number(given.text("port") ?? 0);
  if (!Number.isSafeInteger(port) || port < 0 || port > 65_535) throw new UsageError("--port must be a port number");
  const replay = await start(ofOneService(read(file), given.text("service"), file), port);
  say(`${paint("bold", file)} listens on ${replay.url}`);
  const code = command.length === 0 ? await replay.finished.then(() => 0) : await work(command, replay.url);
  await replay.stop();
  const differences = replay.differences();
  if (given.flag("json")) printJson({ differences, "exit-code": code });
  else for (const difference of differences) sayLine(`${paint("red", "✗")} ${difference}`);
  if (code !== 0) say(`${command[0] ?? ""} ended with exit code ${code}`);
  else if (differences.length === 0) say(paint("green", "the same as recorded"));
  return differences.length === 0 && code === 0 ? 0 : 1;
}

async function start(recording: readonly RecordedExchange[], port: number): Promise<Replay> {
  try {
    return await startReplay(recording, port);
  } catch (error) {
    throw error instanceof ListenError ? new CommandError(error.message) : error;
  }
}

function read(file: string): readonly RecordedExchange[] {
  checkFile(file, "`tenon platform --record FILE` makes one.");
  try {
    return readRecording(file);
  } catch (error) {
    if (error instanceof ToolError) throw new CommandError(error.message);
    throw error;
  }
}

/** Selects the exchanges of one service, since a worker gets the jobs of only one. */
function ofOneService(
  recording: readonly RecordedExchange[],
  service: string | undefined,
  file: string,
): readonly RecordedExchange[] {
  const services = servicesIn(recording);
  if (service === undefined) {
    if (services.length < 2) return recording;
    throw new UsageError(`${file} has jobs of several services; name one with --service: ${services.join(", ")}`);
  }
  if (services.includes(service)) return exchangesOf(recording, service);
  throw new CommandError(`${file} has no jobs of ${service}, but of ${services.join(", ") || "none that is named"}.`);
}

function work([name = "", ...args]: readonly string[], url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(name, args, { stdio: "inherit", env: { ...process.env, PLATFORM_BASE_URL: url } });
    child.on("error", (error) => reject(new CommandError(`${name} cannot be started: ${error.message}`)));
    child.on("exit", (code) => resolve(code ?? 1));
  });
}
