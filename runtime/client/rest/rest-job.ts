import { serverSentEvents } from "../../contract/event-stream.ts";
import type { JsonObject } from "../../contract/contract.ts";
import { requireBounded, CallError, lostJob, unexpected } from "../call-error.ts";
import { discard, encoded, jsonHeaders, newId, type Send } from "./http.ts";
import { jsonOf, readResult, requireType, retryAfterOf } from "./read-answer.ts";
import { withSignal } from "../unless-aborted.ts";
import { countRetries, type Retries, type RetryOptions } from "./retry.ts";
import type { JobEvent, RemoteJob, SendOptions, ToolFacts, WireResult } from "../transport.ts";

/** Asks the service to delay its answer until the job has ended, for at most 20 seconds. */
const preference = { prefer: "wait=20" };
/** Milliseconds without data after which a connection counts as dead; an event stream has a heartbeat every 15 s. */
const patience = 45_000;
/** Milliseconds; an answer that comes sooner shows that the server has not waited. */
const soon = 1000;

/**
 * Makes a handle for a job of a service, over its REST routes.
 *
 * @param id URN or bare id
 * @param facts Of its tool
 */
export function restJob(post: Send, retry: RetryOptions, id: string, facts: ToolFacts): RemoteJob {
  const bare = id.replace(/^urn:platform:job:/, "");
  // As a segment of a path it would lead to another route.
  if (/^\.{0,2}$/.test(bare)) throw unexpected(`"${id}" is not the id of a job.`);
  const path = `/jobs/${encoded(bare)}`;
  const counted = (): Retries => countRetries(retry, post.base + path);

  /** Repeats a request until it succeeds. All requests of this function may safely be sent twice. */
  async function insist<T>(signal: AbortSignal | undefined, act: (guard: Guard) => Promise<T>): Promise<T> {
    const retries = counted();
    for (;;) {
      const guard = guardOf(signal);
      try {
        return await act(guard);
      } catch (error) {
        await retries.again(error, signal);
      } finally {
        guard.end();
      }
    }
  }

  async function result(signal: AbortSignal | undefined): Promise<WireResult> {
    const hasty = counted();
    for (;;) {
      const asked = Date.now();
      let least: number | undefined;
      const found = await insist(signal, async (guard) => {
        const response = await post(path, { headers: preference, signal: guard.signal });
        if (response.status !== 202 && response.status !== 204) return await readResult(response, facts, guard.refresh);
        least = retryAfterOf(response);
        await discard(response);
        return undefined;
      }).catch((error: unknown) => {
        throw asLost(error, id);
      });
      if (found) return found;
      // Pauses between two polls if an answer came at once: some services and proxies do not delay answers.
      if (Date.now() - asked < soon) await hasty.pause(signal, least);
    }
  }

  async function* events(after: number, signal: AbortSignal | undefined): AsyncGenerator<JobEvent, void, undefined> {
    const retries = counted();
    let last = after;
    for (;;) {
      const guard = guardOf(signal);
      let since = NaN;
      try {
        const headers = { accept: "text/event-stream", ...(last > 0 && { "last-event-id": String(last) }) };
        const response = await post(`${path}/events`, { headers, signal: guard.signal });
        if (response.status === 204) return;
        await requireType(response, "text/event-stream");
        const onPiece = (pending: number): void => {
          guard.refresh();
          since ||= Date.now();
          requireBounded(pending, "An event");
        };
        for await (const { id: number, data: text } of response.body ? serverSentEvents(response.body, onPiece) : []) {
          const { type, schema, data } = Object(jsonOf(text, "An event")) as Envelope;
          if (type === "platform.job.status") return;
          // Progress needs a higher number; otherwise, a stream that repeats itself would be read for ever.
          if (!(Number(number) > last)) continue;
          last = Number(number);
          retries.reset();
          if (type !== "platform.job.event") continue;
          if (Object(data) !== data) throw unexpected("An event has no data.");
          yield { id: last, schema, data };
        }
        throw new CallError("unreachable", `The events of job ${id} end too early.`);
      } catch (error) {
        // A stream that was alive until its end is not a failure, even without an event: some proxies end every stream.
        if (!guard.signal.aborted && Date.now() - since > soon) retries.reset();
        await retries.again(asLost(error, id), signal);
      } finally {
        guard.end();
      }
    }
  }

  async function cancel(): Promise<void> {
    await insist(undefined, async ({ signal }) => {
      const response = await post(path, { method: "DELETE", keepalive: true, signal });
      // 404 and 409 are ignored: a job that has ended cannot be cancelled, and need not be.
      if (response.status !== 404 && response.status !== 409) await requireType(response);
      await discard(response);
    });
  }

  //#region messages
  async function send(name: string, body: string, options: SendOptions): Promise<void> {
    const query = options.key === undefined ? "" : `?key=${encodeURIComponent(options.key)}`;
    const headers = jsonHeaders({ idempotencyKey: options.idempotencyKey ?? newId() });
    await insist(undefined, async ({ signal }) => {
      const at = `${path}/messages/${encoded(name)}${query}`;
      const response = await post(at, { method: "POST", headers, body, signal });
      await requireType(response);
      await discard(response);
    });
  }
  //#endregion

  return {
    id,
    result,
    events,
    cancel,
    //#region messages
    send,
    //#endregion
  };
}

interface Envelope {
  readonly type: string;
  readonly schema: string;
  readonly data: JsonObject;
}

/** A signal for one request that also aborts when nothing is received for too long. */
interface Guard {
  readonly signal: AbortSignal;
  /** Called when data was received: restarts the timeout. */
  readonly refresh: () => void;
  readonly end: () => void;
}

function guardOf(signal: AbortSignal | undefined): Guard {
  const silent = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => silent.abort(new Error("no data")), patience);
  };
  refresh();
  return {
    signal: withSignal(signal, silent.signal),
    refresh,
    end: () => clearTimeout(timer),
  };
}

function asLost(error: unknown, id: string): unknown {
  return error instanceof CallError && error.kind === "not-found" ? lostJob(id, error) : error;
}
