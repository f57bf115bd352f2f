import { asText, isRecord, recordsIn } from "../../runtime/web/console/base/json.ts";
import type { JobEvent } from "../../runtime/web/console/client/backend.ts";
import { type Answer, readAnswer } from "../../runtime/web/console/client/calls.ts";
import { readEvent } from "../../runtime/web/console/client/follow-events.ts";
import type { FrameCall } from "./messages.ts";

/** The outcome of a call, in the forms of the console. */
export interface Outcome {
  /** Absent if the call has failed without an answer. */
  readonly answer?: Answer;
  /** Reason why there is no answer. */
  readonly failure?: string;
  readonly events: readonly JobEvent[];
  /** Lines of the log, under `logs`. */
  readonly notes: Readonly<Record<string, unknown>>;
}

/** A call that runs in a sandboxed frame. */
export interface SandboxedCall {
  /** Never rejects: a call that is stopped has an outcome as well. */
  readonly outcome: Promise<Outcome>;
  /** Removes the frame, and with it everything that the call has started. */
  stop(reason?: string): void;
}

/** Milliseconds after which a call is ended. */
const longestCall = 10_000;

/**
 * Calls a tool in a frame of its own, which has an opaque origin, no network and no access to this page. The frame is
 * removed at the end of the call.
 */
export function callInSandbox(call: FrameCall): SandboxedCall {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.src = "frame.html";
  frame.title = "The sandbox of the call";
  frame.hidden = true;
  const hear = ({ source, data }: MessageEvent<unknown>): void => {
    if (source !== frame.contentWindow) return;
    if (data === "ready") frame.contentWindow?.postMessage(call, "*");
    else end(readOutcome(data));
  };
  const end = (outcome: Outcome | Promise<Outcome>): void => {
    clearTimeout(timer);
    removeEventListener("message", hear);
    frame.remove();
    resolve(outcome);
  };
  const stop = (reason = "The call was stopped."): void => end({ failure: reason, events: [], notes: {} });
  const timer = setTimeout(() => stop(`The call was stopped after ${longestCall / 1000} seconds.`), longestCall);
  addEventListener("message", hear);
  document.body.append(frame);
  return { outcome: promise, stop };
}

/** Reads what came from a frame. It is not trusted: the visitor's code can send anything in place of a `FrameAnswer`. */
async function readOutcome(data: unknown): Promise<Outcome> {
  const { status, type, body, failure, events } = isRecord(data) ? data : {};
  const bodies: readonly unknown[] = Array.isArray(events) ? events : [];
  const rest = {
    events: bodies.map((one, index) => readEvent({ SeqID: index, type: "platform.job.event", data: one })),
    notes: { logs: recordsIn(data, "logs") },
  };
  if (failure !== undefined) return { failure: asText(failure) ?? "", ...rest };
  try {
    const text = typeof body === "string" || body instanceof Uint8Array ? new Uint8Array(bytesOf(body)) : null;
    const response = new Response(text, { status: Number(status), headers: { "content-type": asText(type) ?? "" } });
    return { answer: await readAnswer(response), ...rest };
  } catch {
    return { failure: "The function has sent something that is not an answer.", ...rest };
  }
}

function bytesOf(body: string | Uint8Array): Uint8Array {
  return typeof body === "string" ? new TextEncoder().encode(body) : body;
}
