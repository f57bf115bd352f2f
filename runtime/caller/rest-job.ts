import type { JsonObject } from "../contract/contract.ts";
import { CallError } from "./call-error.ts";
import { asUnreachable } from "./http.ts";
import type { Send } from "./http.ts";
import { lostJob } from "./lost-job.ts";
import { isPassing } from "./passing.ts";
import { readProblem, readResult } from "./read-answer.ts";
import { countRetries } from "./retry.ts";
import type { RetryOptions } from "./retry.ts";
import { serverSentEvents } from "./server-sent-events.ts";
import type { JobEvent, RemoteJob, WireResult } from "./transport.ts";

/** Seconds that the service may hold an answer back. */
const wait = 20;
/** Milliseconds without a byte after which a connection is taken for dead; a stream has a heartbeat every 15 s. */
const patience = 45_000;

/** A job of a service over its REST routes. @param id URN or bare id */
export function restJob(send: Send, retry: RetryOptions, id: string): RemoteJob {
  const path = `/jobs/${encodeURIComponent(id.replace(/^urn:platform:job:/, ""))}`;

  /** Carries a request out until it works. All of them may be sent twice. */
  async function insist<T>(signal: AbortSignal | undefined, act: (guard: Guard) => Promise<T>): Promise<T> {
    const retries = countRetries(retry);
    for (;;) {
      const guard = guardOf(signal);
      try {
        return await act(guard);
      } catch (error) {
        const failure = error instanceof CallError ? error : asUnreachable(error, path, signal);
        if (!(failure instanceof CallError) || !isPassing(failure) || !retries.goesOn()) throw failure;
        await retries.pause(signal, failure.retryAfter);
      } finally {
        guard.end();
      }
    }
  }

  async function result(signal: AbortSignal | undefined): Promise<WireResult> {
    for (;;) {
      const found = await insist(signal, async (guard) => {
        const response = await send(path, { headers: { prefer: `wait=${wait}` }, signal: guard.signal });
        if (response.status !== 202 && response.status !== 204) return await readResult(response);
        await response.body?.cancel();
        return undefined;
      }).catch((error: unknown) => {
        throw asLost(error, id);
      });
      if (found !== undefined) return found;
    }
  }

  async function* events(after: number, signal: AbortSignal | undefined): AsyncGenerator<JobEvent, void, undefined> {
    const retries = countRetries(retry);
    let last = after;
    for (;;) {
      const guard = guardOf(signal);
      try {
        const headers = { accept: "text/event-stream", ...(last > 0 && { "last-event-id": String(last) }) };
        const response = await send(`${path}/events`, { headers, signal: guard.signal });
        if (response.status === 204) return;
        if (!response.ok || response.body === null) throw await readProblem(response);
        for await (const { id: number, data } of serverSentEvents(watched(response.body, guard))) {
          retries.reset();
          const { type, schema, data: event } = JSON.parse(data) as Envelope;
          if (type === "platform.job.event") yield { id: Number(number), schema, data: event };
          last = Number(number);
          if (type === "platform.job.status") return;
        }
        if (!retries.goesOn()) throw new CallError("unreachable", `The events of job ${id} end before the job does.`);
        await retries.pause(signal);
      } catch (error) {
        const failure = asLost(error instanceof CallError ? error : asUnreachable(error, path, signal), id);
        if (!(failure instanceof CallError) || !isPassing(failure) || !retries.goesOn()) throw failure;
        await retries.pause(signal, failure.retryAfter);
      } finally {
        guard.end();
      }
    }
  }

  async function cancel(): Promise<void> {
    await insist(undefined, async ({ signal }) => {
      const response = await send(path, { method: "DELETE", keepalive: true, signal });
      // A job that has ended cannot be cancelled, and need not be.
      if (!response.ok && response.status !== 404 && response.status !== 409) throw await readProblem(response);
      await response.body?.cancel();
    });
  }

  return { id, result, events, cancel };
}

interface Envelope {
  readonly type: string;
  readonly schema: string;
  readonly data: JsonObject;
}

/** The signal of one request, which also ends when nothing comes for too long. */
interface Guard {
  readonly signal: AbortSignal;
  /** Something came. */
  readonly refresh: () => void;
  readonly end: () => void;
}

function guardOf(signal: AbortSignal | undefined): Guard {
  const silent = new AbortController();
  const begin = (): ReturnType<typeof setTimeout> => setTimeout(() => silent.abort(), patience);
  let timer = begin();
  return {
    signal: signal === undefined ? silent.signal : AbortSignal.any([signal, silent.signal]),
    refresh() {
      clearTimeout(timer);
      timer = begin();
    },
    end: () => clearTimeout(timer),
  };
}

function watched(body: ReadableStream<Uint8Array>, { refresh }: Guard): ReadableStream<Uint8Array> {
  const watch = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      refresh();
      controller.enqueue(piece);
    },
  });
  return body.pipeThrough(watch);
}

function asLost(error: unknown, id: string): unknown {
  return error instanceof CallError && error.kind === "not-found" ? lostJob(id, error) : error;
}
