import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import { asRecord, asText, recordsIn, textIn, toJson } from "../base/json.ts";
import { clockOf } from "../base/format.ts";
import { useLoaded } from "../base/use-loaded.ts";
import type { Answer, JobEvent } from "../client/backend.ts";
import { useSession } from "../client/session.ts";
import { Card } from "../parts/card.tsx";
import { Code } from "../parts/code.tsx";
import { Dim } from "../parts/notice.tsx";

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

/** Shows the errors that failed a job with their source lines, and its log lines. */
export function NotesView({ notes }: { readonly notes: Notes | undefined }): VNode {
  const error = asRecord(notes?.["error"]);
  const logs = recordsIn(notes, "logs");
  return (
    <>
      {notes?.["error"] !== undefined && (
        <Card title="Stack">
          {[error, ...recordsIn(error, "causes")].map((one) => (
            <div style={`margin-left:${one["depth"]}em`}>
              <Code>{(one["as"] ? `${one["as"]}: ` : "") + asText(one["message"])}</Code>
              <ol class="stack">
                {recordsIn(one, "frames").map(({ folded, name, place, link, code }) => (
                  <li>
                    {Array.isArray(folded) ? (
                      <details>
                        <summary>
                          <Dim>
                            {folded.length} call{folded.length > 1 && "s"} of packages
                          </Dim>
                        </summary>
                        <Code>{folded.join("\n")}</Code>
                      </details>
                    ) : (
                      <>
                        <a href={asText(link) ?? ""}>{asText(place)}</a> <Dim>{asText(name)}</Dim>
                        {code !== "" && <Code>{asText(code)}</Code>}
                      </>
                    )}
                  </li>
                ))}
              </ol>
            </div>
          ))}
        </Card>
      )}
      {logs.length > 0 && (
        <Card title="Log">
          <ol class="log">
            {logs.map(({ time, level, name, message, fields }) => (
              <li>
                <time class="mono dim">{clockOf(Number(time))}</time> <b class={`${level}`}>{asText(level)}</b>{" "}
                <Dim>{asText(name)}</Dim> {asText(message)} <Dim>{toJson(fields).replace(/^\{\}$/, "")}</Dim>
              </li>
            ))}
          </ol>
        </Card>
      )}
    </>
  );
}
