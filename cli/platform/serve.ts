import { join } from "node:path";
import { StoreError } from "../../runtime/executor/store/store-error.ts";
import { ToolError } from "../../runtime/base/errors.ts";
import { isLoopback } from "../../runtime/base/loopback.ts";
import { parseFaults } from "../local-platform/routes/fault-switch.ts";
import { ListenError } from "../local-platform/routes/http-server.ts";
import type { Strangers } from "../local-platform/routes/job-access.ts";
import {
  startLocalPlatform,
  type LocalPlatform,
  type LocalPlatformOptions,
} from "../local-platform/start-local-platform.ts";
import { RecordingError } from "../local-platform/traffic/recorder.ts";
import { paint, say } from "../base/output.ts";
import { CommandError, withArguments, type Arguments, type CommandHelp } from "../base/usage.ts";
import { createLiveView, showState } from "./live-view.ts";
import { operatorToken, removeAddress, usualFolder, usualPort, writeAddress } from "./folder.ts";
import { readHosts, readKey, readNumber, readOrder, readStrangers, recordOf, servicesOf } from "./serve-arguments.ts";

export const help: CommandHelp = {
  usage: "tenon platform [service.json…] [options]",
  summary:
    "Runs a platform on this machine: job queues, the sidecar protocol, events, artifacts, aspects and services. Give the definitions of your services, or let their workers make them.",
  options: {
    port: { type: "string", short: "p", value: "PORT", help: `port to listen on, default ${usualPort}; 0 for any` },
    host: { type: "string", value: "HOST", help: "address to listen on, default 127.0.0.1" },
    folder: { type: "string", value: "DIR", help: `where everything is kept, default ${usualFolder}` },
    store: {
      type: "string",
      value: "URL",
      help: "PostgreSQL database of a platform with replicas, postgres://USER@HOST/DATABASE; the same TENON_PLATFORM_KEY for all of them",
    },
    artifacts: {
      type: "string",
      value: "PLACE",
      help: "where artifacts are kept: a folder that replicas share, or s3://BUCKET/PREFIX; default in the folder",
    },
    "proxy-port": {
      type: "string",
      value: "PORT",
      help: "also run a proxy for Platform-Forward-Url (PLATFORM_PROXY_URL)",
    },
    record: {
      type: "string",
      value: "FILE",
      help: "add every exchange to a file; `tenon platform replay` plays it back",
    },
    fault: {
      type: "string",
      value: "LIST",
      help: "faults to inject: drop=0.05,dup=0.05,delay=200ms,kill-lease=0.02,seed=1",
    },
    run: {
      type: "string",
      value: "KEY=COMMAND",
      multiple: true,
      help: "run a worker of a service, and start it again when it fails; may be given several times",
    },
    json: { type: "boolean", help: "print events of jobs as lines of JSON" },
    quiet: { type: "boolean", short: "q", help: "print nothing of jobs" },
    strangers: {
      type: "string",
      value: "all|submit|none",
      help: "what callers without a token may do. all (default): everything; submit: submit jobs, and read services, the queue, metrics, and jobs whose id they know; none: nothing. Commands in the platform's folder may do everything",
    },
    lease: { type: "string", value: "SECONDS", help: "how long a silent worker keeps its job, default 15" },
  },
  examples: [
    "tenon platform",
    'tenon platform --run "prime-numbers=node dist/service.mjs"',
    "tenon platform service.json --fault drop=0.05,kill-lease=0.02",
    "tenon platform service.json=http://127.0.0.1:8090   # called over REST",
    "tenon platform submit | jobs | watch | artifacts | redrive | send | fork | replay --help",
  ],
};

export function run(words: readonly string[]): Promise<number> {
  return withArguments(words, help, 100, carryOut);
}

async function carryOut(given: Arguments): Promise<number> {
  const folder = given.text("folder") ?? usualFolder;
  const host = given.text("host") ?? "127.0.0.1";
  const fault = given.text("fault");
  const strangers = readStrangers(given.text("strangers"));
  const proxyPort = given.text("proxy-port");
  const view = given.flag("quiet") ? undefined : createLiveView(given.flag("json"));
  const store = given.text("store");
  const key = readKey(process.env["TENON_PLATFORM_KEY"]);
  const platform = await start({
    folder,
    host,
    allowedHosts: readHosts(process.env["TENON_ALLOWED_HOSTS"]),
    warn: (line) => say(paint("yellow", line)),
    store,
    key,
    artifacts: given.text("artifacts"),
    patience: readNumber("PLATFORM_START_TIMEOUT", process.env["PLATFORM_START_TIMEOUT"], 60, 86_400) * 1000,
    port: readNumber("--port", given.text("port"), usualPort, 65_535),
    leaseSeconds: readNumber("--lease", given.text("lease"), 15, 86_400, 1),
    services: servicesOf(given.positionals),
    record: recordOf(given.text("record")),
    recordFailed: ({ message }) => say(paint("yellow", `${message} The platform goes on without it.`)),
    faults: fault === undefined ? undefined : parseFaults(fault),
    strangers,
    proxyPort: proxyPort === undefined ? undefined : readNumber("--proxy-port", proxyPort, 0, 65_535),
    workers: {
      orders: given.texts("run").map(readOrder),
      env: { ...workerLog, ...process.env },
      onLine: (line) => (view === undefined ? showState(line) : view.showLine(line)),
    },
  });
  const signalled = untilSignal();
  if (view !== undefined) platform.onNews(view.show);
  writeAddress(folder, platform.url);
  say(`${paint("bold", "tenon platform")} listens on ${platform.url}`);
  for (const { key, name, url } of platform.services) {
    say(`  ${name}: PLATFORM_BASE_URL=${platform.url}/${key}${url === undefined ? "" : ` (called at ${url})`}`);
  }
  say(paint(strangers === "all" && !isLoopback(host) ? "yellow" : "dim", `  ${whatStrangersMay(strangers, host)}`));
  if (store !== undefined && key === undefined) {
    say(paint("yellow", "  TENON_PLATFORM_KEY is not set: other replicas will not know the jobs' tokens of this one."));
  }
  say(`  console: ${platform.url}/`);
  const token = strangers === "all" ? undefined : operatorToken(platform.url, folder);
  if (token !== undefined) {
    // The token is printed only on a terminal, not to a log that may be stored.
    const where = process.stderr.isTTY ? token.replace("Bearer ", "") : `the one in ${join(folder, "operator")}`;
    say(paint("dim", `  it asks for a token: ${where}`));
  }
  if (platform.proxyUrl !== undefined) say(`  proxy: PLATFORM_PROXY_URL=${platform.proxyUrl}`);
  await signalled;
  say("stopping");
  const failure = await platform.stop().catch((error: unknown) => error);
  view?.stop();
  removeAddress(folder);
  if (failure instanceof RecordingError) throw new CommandError(failure.message);
  if (failure !== undefined) throw failure;
  return 0;
}

async function start(options: LocalPlatformOptions): Promise<LocalPlatform> {
  try {
    return await startLocalPlatform(options);
  } catch (error) {
    if (error instanceof StoreError) {
      const isElsewhere = options.store !== undefined || error.message.includes("--artifacts");
      const where = isElsewhere ? "" : ` The platform's files are in ${options.folder}; --folder names another.`;
      throw new CommandError(error.message.replace(/^TENON_STORE(?=:| )/, "--store") + where);
    }
    if (error instanceof ListenError || error instanceof ToolError) throw new CommandError(error.message);
    throw error;
  }
}

const workerLog = { PLATFORM_LOG_FORMAT: "%(levelname)s (%(name)s): %(message)s" };

function whatStrangersMay(strangers: Strangers, host: string): string {
  const who = isLoopback(host) ? "Every program on this machine" : `Whoever can reach ${host}`;
  if (strangers === "all")
    return `${who} may hand jobs in, read and cancel everything (--strangers submit or none forbids it).`;
  if (strangers === "submit") return `${who} may hand jobs in, and read those that it can name (--strangers submit).`;
  return "Only commands in the folder of the platform, and jobs with their token, may ask for anything (--strangers none).";
}

/** Resolves at the first signal; closing the terminal is a signal as well. A second signal ends the process at once. */
function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(1));
        resolve();
      });
    }
  });
}
