import { cutText } from "../../base/brief.ts";
import { letOthersWork } from "../../base/one-at-a-time.ts";
import { ToolError } from "../../base/errors.ts";
import { jobTries, sleepPrefix, waitPrefix, type KeptParts, type StoredStep } from "./kept-step.ts";

/** Milliseconds of writing after which others have a turn. */
const slice = 5;
/** Maximum characters of a message that are written for a page. */
const longestBeginning = 300;

/**
 * Writes everything that a job has stored and received as a JSON object, in the form that `callTool` of `tenon/testing`
 * takes: `kept` (results of steps, sleeps and waits, by their keys), `failed` (failures of steps that have used up
 * their attempts, and of waits that have timed out, by key), `messages` (the first one of each name) and `steps` in the
 * order in which they began. It may have 16 MiB, so that the event loop serves others meanwhile.
 *
 * @param isOver True for a job that has ended: its open sleeps and waits, which lost a race, are `unneeded`
 */
export async function writeHistory({ steps, messages }: KeptParts, isOver: boolean): Promise<Buffer> {
  const own = inOrder(steps);
  const done = own.flatMap(({ key, state, value }) => (state === "done" ? [[key, value] as const] : []));
  const failed = own.flatMap(({ key, state, error }) => (state === "failed" && error ? [[key, error] as const] : []));
  const sent = messages.toReversed().map(({ name, body }) => [name, body] as const);
  return Buffer.concat([
    Buffer.from('{"kept":'),
    await writeTexts(Object.fromEntries(done)),
    Buffer.from(`,"failed":${JSON.stringify(Object.fromEntries(failed))},"messages":`),
    await writeTexts(Object.fromEntries(sent)),
    Buffer.from(`,"steps":${JSON.stringify(own.map((step) => shown(step, isOver)))}}`),
  ]);
}

/**
 * Writes the times of a job's steps, sleeps and waits, and the beginnings of all messages that it was sent, for a page:
 * `until` is the time at which a sleep or a wait ends at the latest.
 *
 * @param isOver As for {@link writeHistory}
 */
export function writeTimes({ steps, messages }: KeptParts, isOver: boolean): Buffer {
  const now = Date.now();
  const timed = inOrder(steps).map((step) => ({
    ...shown(step, isOver),
    ...(step.state === "running" &&
      step.left !== undefined &&
      !isOver && { until: new Date(now + step.left).toISOString() }),
  }));
  const sent = messages.map(({ name, body, sentAt }) => ({
    message: name,
    sent: new Date(sentAt).toISOString(),
    begins: cutText(body, longestBeginning),
  }));
  return Buffer.from(JSON.stringify({ steps: timed, sent }));
}

function shown({ key, state, attempt, tries, startedAt, endedAt }: StoredStep, isOver: boolean): object {
  const isUnneeded = isOver && state === "running" && (key.startsWith(sleepPrefix) || key.startsWith(waitPrefix));
  return {
    step: key,
    state: isUnneeded ? "unneeded" : state,
    attempt,
    /** Number of tries that have failed. */
    tries,
    started: new Date(startedAt).toISOString(),
    ...(endedAt !== undefined && { ended: new Date(endedAt).toISOString() }),
  };
}

/** Writes an object whose values are JSON already. */
async function writeTexts(texts: Readonly<Record<string, string | undefined>>): Promise<Buffer> {
  const members: Buffer[] = [];
  let began = performance.now();
  for (const [key, text] of Object.entries(texts)) {
    members.push(Buffer.from(`${members.length === 0 ? "{" : ","}${JSON.stringify(key)}:${asJson(text)}`));
    const took = performance.now() - began;
    if (took < slice) continue;
    await letOthersWork(took);
    began = performance.now();
  }
  return Buffer.concat([...members, Buffer.from(members.length === 0 ? "{}" : "}")]);
}

/** Returns text that is not JSON as a string, since another program may have written it. */
function asJson(text: string | undefined): string {
  if (text === undefined) return "null";
  try {
    JSON.parse(text);
    return text;
  } catch {
    return JSON.stringify(text);
  }
}

/**
 * Returns the keys of the results with which a new run of a job begins: all of them, or those that existed before a
 * step began.
 *
 * @param from Name of a step, or `name[key]`; of several steps with the same name, the first one counts
 */
export function keysBefore({ steps }: KeptParts, from: string | undefined): readonly string[] {
  const own = inOrder(steps);
  const done = own.filter(({ state }) => state === "done");
  if (from === undefined) return done.map(({ key }) => key);
  const start = own.find(({ key }) => key === from || key.startsWith(`${from}[`));
  if (start === undefined) {
    const names = own.map(({ key }) => key).join(", ");
    const text = `The job has no step ${JSON.stringify(from.slice(0, 250))}. It has kept: ${names.slice(0, 1000)}.`;
    throw new ToolError("bad-request", text);
  }
  const { startedAt } = start;
  // A step of the same millisecond runs again, too: nothing tells which of the two came first.
  return done
    .filter((step) => (step.endedAt ?? Infinity) <= startedAt && step.startedAt < startedAt)
    .map(({ key }) => key);
}

function inOrder(steps: readonly StoredStep[]): readonly StoredStep[] {
  return steps.filter(({ key }) => key !== jobTries).toSorted((one, other) => one.startedAt - other.startedAt);
}
