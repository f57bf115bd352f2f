import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { getJobId, getLogger, ValueError, type JobContext } from "tenon";

const echo = process.env["ECHO_URL"];

/** Runs until it is told to stop, and says so to a server.
 * @tool
 * @param token Names the call. */
export async function runUntilStopped(token: string, job: JobContext): Promise<string> {
  const stopped = new Promise<void>((resolve) => {
    job.signal.addEventListener("abort", () => {
      getLogger("jobs").warn({ mark: token, own: getJobId() }, "the job was stopped");
      void fetch(`${echo}/stopped/${token}`).then(() => resolve());
    });
  });
  await fetch(`${echo}/running/${token}`);
  await stopped;
  throw new ValueError("It was stopped.");
}

/** Takes a moment.
 * @tool
 * @param text What to say then. */
export async function takeMoment(text: string): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 30));
  return text;
}

let calls = 0;
/** Counts its calls.
 * @tool
 * @param token Names the call. */
export function countCalls(token: string): {
  /** The name. */ token: string;
  /** Calls of all names. */ calls: number;
} {
  return { token, calls: ++calls };
}

/** Gives its own id.
 * @tool */
export async function ownId(job: JobContext): Promise<string[]> {
  const later = await new Promise<string | undefined>((resolve) => setTimeout(() => resolve(getJobId()), 1));
  return [job.jobId, getJobId() ?? "none", later ?? "none"];
}

/** Never ends by itself.
 * @tool
 * @timeout 1s */
export async function takeTooLong(job: JobContext): Promise<void> {
  await new Promise((_, reject) => job.signal.addEventListener("abort", () => reject(job.signal.reason as Error)));
}

/** Threads of a process share files, and no variables. */
const endOf = (word: string): string => join(import.meta.dirname, `ended-${word}`);

/** Runs alone for its caller's word, until it is told to stop.
 * @tool
 * @limit 1 per request.word refuse
 * @param word Names the limit.
 * @param token Names the call. */
export async function runAlone(word: string, token: string, job: JobContext): Promise<string> {
  await fetch(`${echo}/running/${token}`);
  while (!job.signal.aborted && !existsSync(endOf(word))) await sleep(20);
  return word;
}

/** Tells the one that runs alone to stop.
 * @tool
 * @param word Names the limit. */
export function endAlone(word: string): string {
  writeFileSync(endOf(word), "");
  return word;
}

/** Runs once a day for its caller's word.
 * @tool
 * @rate 1/day per request.word refuse
 * @param word Names the rate. */
export function runRarely(word: string): string {
  return word;
}

/** Runs twice in a second for its caller's word.
 * @tool
 * @rate 2/s per request.word
 * @param word Names the rate. */
export function runSlowly(word: string): string {
  return word;
}

/** Runs alone for its caller's word, and sooner if its call is urgent.
 * @tool
 * @limit 1 per request.word
 * @priority 1h when request.urgent
 * @param word Names the line.
 * @param urgent True if somebody waits. */
export function runSoon(word: string, urgent = false): string {
  return urgent ? `${word}, urgent` : word;
}

/** Runs when no other call of its caller's word has come for a while.
 * @tool
 * @debounce 200ms per request.word max 1s
 * @param word Names the line.
 * @param text Tells the requests apart. */
export function runLast(word: string, text: string): string {
  return word === "" ? word : text;
}
