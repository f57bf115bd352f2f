import { ToolError } from "../../base/errors.ts";
import { Conversation } from "../../job/conversation.ts";
import type { JsonObject } from "../../contract/contract.ts";
import type { JobUrn } from "../../job/job.ts";
import type { JobClient, Talk } from "../../job/question.ts";
import type { RunningJob } from "../running/running-job.ts";
import type { JobRecord, JobStore, Lease } from "../store/job-store.ts";
import { maxTalkBytes } from "../store/shared-rules.ts";
import type { StoreWrites } from "./store-writes.ts";
import { unanswered } from "./unanswered.ts";

/**
 * Stores the questions of a stored job to its client, so that any process can show and answer a question, and the next
 * attempt knows them. While a question is open, the job gives its slot to other jobs.
 */
export function keepQuestions(job: RunningJob, lease: Lease, store: JobStore, writes: StoreWrites): void {
  const { client } = job;
  if (!(client instanceof Conversation)) return;
  /** Keys of the questions that are stored; only stored questions are shown. */
  let stored: ReadonlySet<string> = new Set();
  let seen = 0;
  let isDue = false;

  const write = async (): Promise<void> => {
    const talk = { ...client.talk, seen };
    if (Buffer.byteLength(JSON.stringify(talk)) > maxTalkBytes) {
      client.close(tooMuchAsked(talk));
      return;
    }
    const answer = store.ask(lease, talk);
    if ((answer instanceof Promise ? await answer : answer) === "ok") stored = new Set(Object.keys(talk.open));
  };
  const read = async (): Promise<void> => {
    const replies = (await store.get(job.id))?.replies ?? [];
    const fresh = replies.slice(seen);
    if (fresh.length === 0 || job.ending !== undefined) return;
    seen = replies.length;
    client.take(fresh);
    await write();
  };

  job.openQuestions = () => {
    const open = Object.entries(client.requests ?? {}).filter(([key]) => stored.has(key));
    return open.length === 0 ? undefined : Object.fromEntries(open);
  };
  client.keptBy({
    answered() {
      if (!client.asks) job.resume();
      writes.add(write());
    },
    asked() {
      if (isDue) return;
      isDue = true;
      // The write is delayed to the end of the turn, since parallel branches of a tool ask questions in one turn of the
      // event loop.
      setImmediate(() => {
        isDue = false;
        if (job.ending !== undefined || !client.asks) return;
        job.suspend();
        writes.add(write());
      });
    },
  });
  const unwatch = store.watch(job.id, (change) => {
    if (change === "answers" || (change === "unknown" && client.asks)) writes.add(read());
  });
  job.onEnd(unwatch);
  // Marks answers as read that an earlier attempt received and did not process before it ended. An attempt that was
  // only released does not count as earlier.
  if (job.submission.isTakenUp === true) writes.add(read());
}

/** Returns the client of an earlier attempt: its answers count, and all unanswered questions are asked again. */
export function askAgain(talk: Talk): JobClient {
  return new Conversation(talk.capabilities, talk);
}

interface Delivery {
  readonly id: JobUrn;
  readonly answers: JsonObject;
  readonly owner: string | undefined;
}

/**
 * Delivers answers to the open questions of a stored job. False if the job does not exist, or belongs to another
 * caller.
 *
 * @param running The job, if it runs in this process
 */
export async function deliverAnswers(
  store: JobStore,
  running: RunningJob | undefined,
  { id, answers, owner }: Delivery,
): Promise<boolean> {
  const job = running ?? (await store.get(id));
  if (job === undefined || job.owner !== owner) return false;
  if (running === undefined) await answerElsewhere(store, job as JobRecord, answers);
  else running.client?.deliver?.(answers);
  return true;
}

async function answerElsewhere(store: JobStore, record: JobRecord, answers: JsonObject): Promise<void> {
  const open = unanswered(record) ?? {};
  const replies = Object.entries(answers).flatMap(([key, answer]) => {
    const digest = Object.hasOwn(open, key) ? record.talk?.asked[key] : undefined;
    return digest === undefined || !isAnswer(answer) ? [] : [{ key, digest, answer }];
  });
  if (replies.length > 0 && (await store.answer(record.id, replies)) === "full") throw tooLarge();
}

function isAnswer(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The error of a job whose questions, with their answers, are too large: the author's mistake, not the caller's. */
function tooMuchAsked({ open, answers }: Pick<Talk, "open" | "answers">): ToolError {
  const parts = [...entriesOf("The question", open), ...entriesOf("The answer to the question", answers)];
  const [largest] = parts.toSorted((one, other) => other.size - one.size);
  return new ToolError(
    "invalid-result",
    `${largest?.what} has ${largest?.size} bytes, and the questions and answers of a job have at most ${maxTalkBytes} ` +
      "together. Ask for less at once, or for a link.",
  );
}

function entriesOf(what: string, parts: object): readonly { readonly what: string; readonly size: number }[] {
  return Object.entries(parts).map(([key, part]) => ({
    what: `${what} ${JSON.stringify(key)}`,
    size: Buffer.byteLength(JSON.stringify(part)),
  }));
}

function tooLarge(): ToolError {
  return new ToolError(
    "too-large",
    `The questions and answers of a job have at most ${maxTalkBytes} bytes. Ask for less at once, or for a link.`,
  );
}
