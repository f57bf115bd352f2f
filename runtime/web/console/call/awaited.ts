import { asText, recordIn, recordsIn, textIn } from "../base/json.ts";

const waitPrefix = "~wait:";

/**
 * The messages that a job waits for now, by the names under which they are stored, such as `received[7]`.
 *
 * @param history What `GET /jobs/{id}/history` says of the job
 * @param state What `GET /jobs/{id}` says: a platform does not have the history of a job that runs in a REST service
 */
export function awaitedBy(history: unknown, state: unknown): readonly string[] {
  const begun = recordsIn(history, "steps").flatMap(({ step, state: how }) =>
    how === "running" && asText(step)?.startsWith(waitPrefix) ? [String(step).slice(waitPrefix.length)] : [],
  );
  const said = textIn(recordIn(state, "waits-for"), "message");
  const sent = recordIn(history, "messages");
  return [...new Set([...begun, ...(said === undefined ? [] : [said])])].filter((name) => !Object.hasOwn(sent, name));
}

/** The key of a message, empty if its wait has none; undefined if the message is that of another wait. */
export function keyFor(wait: Readonly<Record<string, unknown>>, message: string): string | undefined {
  const name = String(wait["name"]);
  if (wait["keyed"] !== true) return message === name ? "" : undefined;
  return message.startsWith(`${name}[`) && message.endsWith("]") ? message.slice(name.length + 1, -1) : undefined;
}
