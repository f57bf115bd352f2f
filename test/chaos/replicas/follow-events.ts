import { setTimeout as sleep } from "node:timers/promises";
import type { Followed } from "../history.ts";

/** Milliseconds of one connection: a reader changes replicas now and then, as behind a load balancer. */
const longest = 3000;

/** Reads the events of a job until its end, each connection at another replica, from where the last one was cut. */
export async function followEvents(base: () => string, id: string, signal: AbortSignal): Promise<Followed> {
  const events: (readonly [number: number, text: string])[] = [];
  let last = 0;
  while (!signal.aborted) {
    try {
      const answer = await fetch(`${base()}/jobs/${id}/events`, {
        headers: { "last-event-id": String(last) },
        signal: AbortSignal.any([signal, AbortSignal.timeout(longest)]),
      });
      if (answer.status === 204) break;
      if (answer.status !== 200 || answer.body === null) throw new Error("not now");
      let text = "";
      let isOver = false;
      for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        const whole = text.split("\n\n");
        text = whole.pop() ?? "";
        for (const one of whole) {
          const event = readEvent(one);
          if (event === undefined) continue;
          last = event.number;
          if (event.type === "platform.job.event") events.push([event.number, event.text]);
          isOver ||= event.type === "platform.job.status";
        }
      }
      if (isOver) break;
    } catch {
      // The replica or the server is down, or the time of this connection is over.
    }
    await sleep(50);
  }
  return { kind: "followed", id, events };
}

interface ReadEvent {
  readonly number: number;
  readonly type: string;
  /** Its data, without what differs from reader to reader. */
  readonly text: string;
}

/** Reads one event of a stream; undefined for a comment. */
export function readEvent(text: string): ReadEvent | undefined {
  const line = text.split("\n").find((one) => one.startsWith("data: "));
  if (line === undefined) return undefined;
  const { SeqID, type, data } = JSON.parse(line.slice("data: ".length)) as {
    readonly SeqID: string;
    readonly type: string;
    readonly data: unknown;
  };
  return { number: Number(SeqID), type, text: JSON.stringify(data) };
}
