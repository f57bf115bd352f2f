import { clockOf } from "../base/format.ts";
import { asText, recordsIn, textIn } from "../base/json.ts";
import type { Step } from "../call/steps.ts";
import type { Placed } from "./rows-below.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The sleeps and waits of a job, and the messages that it was sent, from the times of its history. */
export function keptRows(history: Fields | undefined): readonly Placed[] {
  return [
    // A job that runs again from a step begins with copies of earlier rows, which have no attempt.
    ...recordsIn(history, "steps").flatMap((step) => (step["attempt"] === 0 ? [] : waitOf(step))),
    ...recordsIn(history, "sent").map((sent): Placed => {
      const at = timeIn(sent, "sent") ?? 0;
      const message = `sent at ${clockOf(at)} UTC: ${textIn(sent, "begins") ?? ""}`;
      return {
        row: { ...row, name: `message ${String(sent["message"])}`, kind: "message", from: at, to: at, message },
      };
    }),
  ];
}

const row = { depth: 0, state: "done" } as const;

function waitOf(step: Fields): readonly Placed[] {
  const [, kind, name = ""] = /^~(sleep|wait):(.*)$/s.exec(asText(step["step"]) ?? "") ?? [];
  if (kind === undefined) return [];
  const [from = 0, to, until] = [timeIn(step, "started"), timeIn(step, "ended"), timeIn(step, "until")];
  const state = ({ done: "done", failed: "failed", unneeded: "stopped" } as const)[String(step["state"])] ?? "waiting";
  const end =
    until === undefined
      ? ""
      : `${kind === "wait" ? " at most" : ""} until ${new Date(until).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "long" })}`;
  const message =
    state === "failed"
      ? "no message came in time"
      : state === "stopped"
        ? `began at ${clockOf(from)} UTC, and was not needed any more`
        : to === undefined
          ? `since ${clockOf(from)} UTC${end}`
          : `began at ${clockOf(from)} UTC`;
  // Sleeps without a name have numbers.
  const label = kind === "wait" ? `wait for ${name}` : /^\d+$/.test(name) ? "sleep" : `sleep ${name}`;
  return [{ row: { ...row, name: label, kind: "wait", from, to, state, message } satisfies Step }];
}

function timeIn(fields: Fields, name: string): number | undefined {
  const time = Date.parse(textIn(fields, name) ?? "");
  return Number.isNaN(time) ? undefined : time;
}
