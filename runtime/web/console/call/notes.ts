import { useRef } from "preact/hooks";
import { asRecord, textIn } from "../base/json.ts";
import { useLoaded } from "../base/use-loaded.ts";
import type { JobEvent } from "../client/backend.ts";
import type { Answer } from "../client/calls.ts";
import { useSession } from "../client/session.ts";
import { later } from "../parts/later.tsx";

/** Shows what the notes say of errors and log lines. */
export const NotesView = later(async () => (await import("./notes-view.tsx")).NotesView);

/** Notes of `tenon dev` about a job: its request, its log lines, the stack of its error. */
type Notes = Readonly<Record<string, unknown>>;

/** Milliseconds between two polls of the notes of a running job. */
const every = 1500;

/**
 * Loads the notes of `tenon dev` about a job; again when `turn` changes, and repeatedly while the job runs. Undefined
 * until the notes are loaded, and outside of `tenon dev`.
 */
export function useNotes(id: string, turn: unknown, isRunning = false): Notes | undefined {
  const { client, kind } = useSession().backend;
  const without = useRef("");
  const load = async (): Promise<Notes | undefined> => {
    if (kind !== "service" || turn === undefined || without.current === id) return undefined;
    const response = await client.send(`/jobs/${id}/debug`);
    if (response.ok) return asRecord(await response.json());
    without.current = id;
    return undefined;
  };
  return useLoaded(load, [id, turn], isRunning ? every : undefined).value;
}

/** Adds to an answer what author code threw, if its caller does not get the text. */
export function withCause(answer: Answer, notes: Notes | undefined): Answer {
  return answer.status < 500 ? answer : { ...answer, cause: textIn(notes?.["error"], "message") };
}

/** Puts the texts of errors that callers do not get into the events that report them. */
export function withHidden(events: readonly JobEvent[], notes: Notes | undefined): readonly JobEvent[] {
  const hidden = asRecord(notes?.["hidden"]);
  return events.map((event) => {
    const error = hidden[event.number];
    return error === undefined ? event : { ...event, data: { ...event.data, error } };
  });
}
