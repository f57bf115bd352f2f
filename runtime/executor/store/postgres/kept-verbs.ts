import type { KeptParts, NewMessage, Parking } from "../../../job/steps/kept-step.ts";
import type { JobUrn } from "../../../job/job.ts";
import type { SendAnswer, WriteAnswer } from "../job-store.ts";
import { phase } from "../phase.ts";
import { keyOf } from "../rows.ts";
import { toStoredMessage, toStoredStep, type MessageRow, type StepRow } from "../step-rows.ts";
import { never } from "../shared-rules.ts";
import { answers, leaseColumns, refusal, touched, type Held, type WrittenRow } from "./held-writes.ts";
import { letInBehind, type LimitedRow } from "./limits.ts";
import type { Verb } from "./ordered-batches.ts";
import type { Tables } from "./tables.ts";

interface Sending {
  readonly id: JobUrn;
  readonly message: NewMessage;
}

interface Forking {
  readonly id: JobUrn;
  readonly as: JobUrn;
  readonly keys: readonly string[];
}

/** Methods of the store for stored steps and messages; calls of each are combined into one statement. */
export interface KeptVerbs {
  readonly park: Verb<Held & { readonly parking: Parking }, WriteAnswer>;
  readonly send: Verb<Sending, SendAnswer>;
  readonly recall: Verb<string, KeptParts>;
  readonly messages: Verb<string, KeptParts>;
  readonly fork: Verb<Forking, "ok" | "unknown">;
}

export function keptVerbs(tables: Tables): KeptVerbs {
  return {
    park: {
      key: "park",
      touches: touched,
      async run(inputs) {
        const rows = await tables.timed<WrittenRow>(
          tables.sql.park,
          ...leaseColumns(inputs),
          inputs.map(({ parking }) => parking.delay ?? null),
          inputs.map(({ parking }) => parking.until ?? never),
          inputs.map(({ parking }) => parking.waits.join("\n")),
        );
        const left = new Set(rows.flatMap((row) => (typeof row.limit_key === "string" ? row.id : [])));
        for (const { lease, parking } of inputs) {
          const { delay, until = never } = parking;
          if (left.has(keyOf(lease.id))) tables.wakes.add(delay ?? until - Date.now());
        }
        await letInBehind(tables, rows);
        return answers(tables, inputs, rows, refusal);
      },
    },
    send: {
      key: "send",
      touches: ({ id }) => [keyOf(id)],
      bytes: ({ message }) => message.body.length,
      run: (inputs) => sendAll(tables, inputs),
    },
    fork: {
      key: "fork",
      touches: ({ id, as }) => [keyOf(id), keyOf(as)],
      async run(inputs) {
        const answers: ("ok" | "unknown")[] = [];
        for (const { id, as, keys } of inputs) {
          const made = await tables.timed<LimitedRow>(tables.sql.fork, keyOf(id), keyOf(as), keys);
          await letInBehind(tables, made);
          answers.push(made.length === 1 ? "ok" : "unknown");
        }
        return answers;
      },
    },
    recall: { key: "recall", touches: () => [], run: (ids) => recallAll(tables, ids) },
    messages: { key: "messages", touches: () => [], run: (ids) => recallAll(tables, ids, "messages") },
  };
}

async function sendAll(tables: Tables, inputs: readonly Sending[]): Promise<readonly SendAnswer[]> {
  const rows = await tables.timed<LimitedRow & { readonly id: string; readonly is_added: boolean }>(
    tables.sql.sendMessage,
    inputs.map(({ id }) => keyOf(id)),
    inputs.map(({ message }) => message.name),
    inputs.map(({ message }) => message.body),
    inputs.map(({ message }) => message.once ?? null),
    inputs.map(({ message }) => message.sender ?? null),
  );
  await letInBehind(tables, rows);
  const taken = new Map(rows.map((row) => [row.id, row.is_added]));
  const left = inputs.filter(({ id }) => !taken.has(keyOf(id)));
  const found =
    left.length === 0
      ? []
      : await tables.query<{ readonly id: string; readonly phase: number; readonly is_known: boolean }>(
          tables.sql.unsent,
          left.map(({ id }) => keyOf(id)),
          left.map(({ message }) => message.once ?? null),
        );
  const refused = new Map(found.map((row) => [row.id, row]));
  return inputs.map(({ id }) => {
    const isAdded = taken.get(keyOf(id));
    if (isAdded !== undefined) return isAdded ? "ok" : "known";
    const row = refused.get(keyOf(id));
    if (row === undefined) return "unknown";
    if (row.is_known) return "known";
    return row.phase >= phase.ended ? "ended" : "full";
  });
}

async function recallAll(tables: Tables, ids: readonly string[], only?: "messages"): Promise<readonly KeptParts[]> {
  const [steps, messages] = await Promise.all([
    only === undefined ? tables.timed<StepRow & { readonly id: string }>(tables.sql.steps, ids) : [],
    tables.query<MessageRow & { readonly id: string }>(tables.sql.messages, ids),
  ]);
  return ids.map((id) => ({
    steps: steps.filter((row) => row.id === id).map(toStoredStep),
    messages: messages.filter((row) => row.id === id).map(toStoredMessage),
  }));
}
