import type { ModelCallStarter } from "../../job/job-span.ts";
import type { LogMethod, Logger } from "../../telemetry/log/logging.ts";
import { LlmPackageError, LlmConfigurationError } from "./llm-errors.ts";
import type { LlmClient, LlmClientClass, LlmOptions, LlmPending, LlmStatusError } from "./openai-types.ts";
import { placeholderKey, resolveClientOptions, type LlmEnvironment } from "./resolve-client-options.ts";
import { guardFetch, type GuardedFetch } from "./guard-fetch.ts";
import { nameErrors } from "./name-errors.ts";
import { observeRequest } from "./observe-request.ts";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { addSecret } from "../../telemetry/log/log-state.ts";

/** Matches what stands in place of a key for a server that needs none, such as `ollama`: all logs may have the word. */
const shortWord = /^[a-z_-]{0,15}$/i;

/** The parts of a job that a client needs. */
export interface LlmJob {
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** The job's token, which its own log redacts. */
  readonly jobAuthorization?: string | undefined;
}

/** A pending request, before it is sent. */
type PendingRequest = Awaited<Parameters<LlmClient["request"]>[0]>;
/** The options of a request whose parts for `fetch` are complete. */
interface PreparedRequest {
  readonly url: string;
  readonly options: PendingRequest;
}

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
  const known = new Set([placeholderKey, bareKey(job.jobAuthorization ?? "")]);
  // Keys are registered as secrets, since a server may quote them and the log knows only those of the environment.
  const learn = (key: string): void => {
    const bare = bareKey(key);
    if (!known.has(bare) && !shortWord.test(bare)) addSecret(bare);
  };
  if (typeof resolved.apiKey === "string") learn(resolved.apiKey);
  const guarded = guardFetch(resolved.fetch, learn);
  return new (clientFor(job.signal, OpenAI, guarded, startCall))({
    logger: logTo(job.logger),
    ...resolved,
    ...(!hasOwnTransport(resolved) && { fetch: guarded.fetch }),
  });
}

/** True for credentials by X.509, for which the package has a transport of its own and refuses another `fetch`. */
function hasOwnTransport({ credential, workloadIdentity }: LlmOptions): boolean {
  return credential !== undefined || (workloadIdentity !== undefined && !("provider" in workloadIdentity));
}

function bareKey(key: string): string {
  return key.replace(/^Bearer\s+/i, "");
}

/** The package's client; its requests are aborted when the job ends. */
function clientFor(
  signal: AbortSignal,
  OpenAI: LlmClientClass,
  guarded: GuardedFetch,
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
      const server = URL.parse(this.baseURL);
      const call = server === null ? undefined : startCall?.({ path, server });
      const isAbort = (error: Error): boolean =>
        error instanceof OpenAI.APIUserAbortError || error.name === "AbortError";
      return observeRequest(nameErrors(server?.origin ?? this.baseURL, call, isAbort), request, send);
    }

    /** Called before every request and every retry. */
    protected override async prepareOptions(request: PendingRequest): Promise<void> {
      await super.prepareOptions(request);
      request.signal = request.signal ? AbortSignal.any([request.signal, signal]) : signal;
    }

    /** Called before every request and every retry, after `prepareOptions`. */
    protected override async prepareRequest(init: RequestInit, context: PreparedRequest): Promise<void> {
      await super.prepareRequest(init, context);
      guarded.expect(init, context.options);
    }

    protected override makeStatusError(
      status: number,
      body: object,
      message: string | undefined,
      headers: Headers,
    ): LlmStatusError {
      const location = status >= 300 && status < 400 ? headers.get("location") : null;
      if (location === null) return super.makeStatusError(status, body, message, headers);
      // The query of an address may contain a secret.
      const to = URL.parse(location, this.baseURL);
      const address = to === null ? "an address that is not a URL" : to.origin + to.pathname;
      const refusal = `The server redirects to ${address}, and redirects are never followed. Check the base URL.`;
      return super.makeStatusError(status, { error: { message: refusal } }, undefined, headers);
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
  // The package logs an error only before it throws it, with parts of the answer.
  return { error: to(logger.debug), warn: to(logger.warn), info: to(logger.info), debug: to(logger.debug) };
}

/** Content of `~/.config/openai/api_key`, the fallback for local development; undefined when there is no such file. */
function readKeyFile(): string | undefined {
  try {
    return readFileSync(join(homedir(), ".config/openai/api_key"), "utf8").trim();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    if (["ENOENT", "ENOTDIR", "ERR_SYSTEM_ERROR"].includes(code)) return undefined;
    throw new LlmConfigurationError(`The key file ~/.config/openai/api_key cannot be read (${code}).`, {
      cause: error,
    });
  }
}
