import type { ModelCallStarter } from "../../job/job-span.ts";
import type { LogMethod, Logger } from "../../telemetry/log/logging.ts";
import { LlmPackageError, LlmConfigurationError } from "./llm-errors.ts";
import type { LlmClient, LlmClientClass, LlmOptions, LlmPending } from "./openai-types.ts";
import { resolveClientOptions, type LlmEnvironment } from "./resolve-client-options.ts";
import { observeRequest } from "./observe-request.ts";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { addSecret } from "../../telemetry/log/log-state.ts";

/** The parts of a job that a client needs. */
export interface LlmJob {
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

/** A pending request, before it is sent. */
type PendingRequest = Awaited<Parameters<LlmClient["request"]>[0]>;

/**
 * Creates the client of a job; see `JobContext.llmClient`. The package is loaded by the first call.
 *
 * @param startCall Observes requests; undefined without telemetry.
 */
export async function createLlmClient(
  job: LlmJob,
  options: LlmOptions,
  env: LlmEnvironment,
  startCall?: ModelCallStarter,
): Promise<LlmClient> {
  const OpenAI = await loadClass();
  const resolved = resolveClientOptions(options, env, readKeyFile);
  return new (clientFor(job.signal, OpenAI, startCall))({ logger: logTo(job.logger), ...resolved });
}

/** The package's client; its requests are aborted when the job ends. */
function clientFor(
  signal: AbortSignal,
  OpenAI: LlmClientClass,
  startCall: ModelCallStarter | undefined,
): LlmClientClass {
  return class extends OpenAI {
    constructor(options: LlmOptions) {
      const restore = hideVariables();
      try {
        super(options);
      } finally {
        restore();
      }
    }

    /** Called once per request, however often the request is sent. */
    override post<Answer>(path: string, request?: Parameters<LlmClient["post"]>[1]): LlmPending<Answer> {
      const send = (): LlmPending<Answer> => super.post<Answer>(path, request);
      const server = startCall && URL.parse(this.baseURL);
      const call = server ? startCall?.({ path, server }) : undefined;
      return call === undefined ? send() : observeRequest(call, request, send);
    }

    /** Called before every request and every retry. */
    protected override async prepareOptions(request: PendingRequest): Promise<void> {
      await super.prepareOptions(request);
      request.signal = request.signal ? AbortSignal.any([request.signal, signal]) : signal;
    }
  };
}

/**
 * Hides the package's own environment variables from its constructor, which would read them. Returns a function that
 * restores them.
 */
function hideVariables(): () => void {
  const { env } = process;
  const hidden = Object.entries(env).filter(([name]) => name.startsWith("OPENAI_"));
  for (const [name] of hidden) delete env[name];
  return () => void Object.assign(env, Object.fromEntries(hidden));
}

async function loadClass(): Promise<LlmClientClass> {
  try {
    return (await import("openai")).OpenAI;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new LlmPackageError(
      `job.llmClient() needs the package "openai", version 6 or 7. Run npm install openai, and build again. (${reason})`,
      { cause: error },
    );
  }
}

/** Sends the package's messages to the job's log instead of the console. */
function logTo(logger: Logger): NonNullable<LlmOptions["logger"]> {
  const to =
    (log: LogMethod) =>
    (message: string, ...details: unknown[]): void =>
      details.length === 0 ? log(message) : log({ details }, message);
  return { error: to(logger.error), warn: to(logger.warn), info: to(logger.info), debug: to(logger.debug) };
}

/** Content of `~/.config/openai/api_key`, the fallback for local development; undefined when there is no such file. */
function readKeyFile(): string | undefined {
  try {
    const key = readFileSync(join(homedir(), ".config/openai/api_key"), "utf8").trim();
    // The key is registered as a secret, since the log knows only secrets of the environment.
    addSecret(key);
    return key;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    if (["ENOENT", "ENOTDIR", "ERR_SYSTEM_ERROR"].includes(code)) return undefined;
    throw new LlmConfigurationError(`The key file ~/.config/openai/api_key cannot be read (${code}).`, {
      cause: error,
    });
  }
}
