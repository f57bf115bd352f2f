import { expect, test } from "vitest";
import { JobEventStreams } from "../../../../../runtime/fronts/rest/job-event-stream.ts";
import { fakeTool } from "../../../../support/fake-tool.ts";
import type { Job, JobEvent, JobOutcome } from "../../../../../runtime/job/job.ts";

interface Told {
  readonly job: Job;
  /** Reports an event with a text of so many bytes. */
  tell(bytes: number): void;
  end(): void;
  /** Number of times that an event was made into text. */
  readonly written: number;
  readonly listeners: number;
}

/** A job that runs, and tells of events. It keeps the last `most` of them, numbered from `first`. */
function runningJob(most = 0, first = 1): Told {
  const listeners = new Set<(event: JobEvent) => void>();
  const atEnd: ((outcome: JobOutcome) => void)[] = [];
  const kept: JobEvent[] = [];
  let sequence = first - 1;
  let written = 0;
  const job = {
    id: "urn:platform:job:00000000-0000-4000-8000-000000000001",
    tool: fakeTool(() => 1),
    outcome: undefined as JobOutcome | undefined,
    onEvent: (listener: (event: JobEvent) => void) => {
      for (const event of kept) listener(event);
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onEnd: (listener: (outcome: JobOutcome) => void) => {
      if (job.outcome === undefined) atEnd.push(listener);
      else listener(job.outcome);
    },
  };
  return {
    job: job as unknown as Job,
    tell(bytes) {
      const text = "x".repeat(bytes);
      const publicBody = { $schema: "urn:test:event", text: { toJSON: () => (written++, text) } as unknown as string };
      const event = { sequence: ++sequence, timestamp: "", body: publicBody, publicBody };
      kept.push(event);
      if (kept.length > most) kept.shift();
      for (const listener of listeners) listener(event);
    },
    end() {
      job.outcome = { state: "succeeded", result: { kind: "json", json: "1" } };
      for (const listener of atEnd) listener(job.outcome);
    },
    get written() {
      return written;
    },
    get listeners() {
      return listeners.size;
    },
  };
}

const streams = (): JobEventStreams => new JobEventStreams({ source: "test" });
type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** Reads the first bytes of a stream, and asks for the next ones, with which it begins to follow the job. */
async function followed(stream: ReadableStream<Uint8Array> | undefined): Promise<readonly [Reader, Promise<unknown>]> {
  const reader = stream?.getReader() as Reader;
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe(": \n\n");
  return [reader, reader.read()];
}

async function textOf(stream: ReadableStream<Uint8Array> | undefined): Promise<string> {
  let text = "";
  for await (const chunk of stream ?? []) text += Buffer.from(chunk).toString();
  return text;
}

const idsOf = (text: string): readonly number[] => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);

test("it tells what waits for its reader, and no more once that is read", async () => {
  const held: number[] = [];
  const { job, tell } = runningJob();
  const [reader, next] = await followed(streams().open(job, { after: 0, hold: (bytes) => held.push(bytes) }));
  for (let event = 0; event < 3; event++) tell(100_000);
  expect(Math.max(...held)).toBeGreaterThan(200_000);
  await next;
  for (let chunk = 1; chunk < 3; chunk++) await reader.read();
  await expect.poll(() => held.at(-1)).toBe(0);
  await reader.cancel();
});

test("a reader with more than four megabytes unread is told to resume, whatever the job still says", async () => {
  const { job, tell } = runningJob();
  const [reader, next] = await followed(streams().open(job, { after: 0 }));
  for (let event = 0; event < 100; event++) tell(100_000);
  let bytes = ((await next) as { readonly value: Uint8Array }).value.length;
  for (let read = await reader.read(); !read.done; read = await reader.read()) bytes += read.value.length;
  expect(bytes).toBeGreaterThan(4_000_000);
  expect(bytes).toBeLessThan(4_500_000);
});

test("an event becomes text once, however many read it, and they share its bytes", async () => {
  const told = runningJob(1000);
  for (let event = 0; event < 100; event++) told.tell(100);
  const open = streams();
  const readers = await Promise.all(range(1, 50).map(() => followed(open.open(told.job, { after: 0 }))));
  const first = await Promise.all(readers.map(async ([, next]) => (await next) as { readonly value: Uint8Array }));
  expect(new Set(first.map(({ value }) => value.buffer)).size).toBe(1);
  const rest = readers.map(async ([reader]) => {
    let text = "";
    for (let read = await reader.read(); !read.done; read = await reader.read())
      text += Buffer.from(read.value).toString();
    return text;
  });
  for (let event = 0; event < 100; event++) told.tell(100);
  told.end();
  const texts = await Promise.all(rest);
  const whole = first.map(({ value }, at) => Buffer.from(value).toString() + texts[at]);
  for (const text of whole) expect(idsOf(text)).toEqual(range(1, 202));
  expect(told.written).toBe(200);
  expect(told.listeners).toBe(0);
});

test("readers of an ended job share its events, too, while one of them reads", async () => {
  const told = runningJob(1000);
  for (let event = 0; event < 20; event++) told.tell(10);
  told.end();
  const open = streams();
  // Each request for such a job has an object of its own.
  const texts = await Promise.all(range(1, 20).map(() => textOf(open.open({ ...told.job }, { after: 5, owner: "a" }))));
  for (const text of texts) expect(idsOf(text)).toEqual(range(6, 22));
  expect(told.written).toBe(20);
  await Promise.all(["a", "b"].map((owner) => textOf(open.open({ ...told.job }, { after: 0, owner }))));
  expect(told.written).toBe(60);
});

test("each reader begins where it says, and is told of what nobody keeps any more", async () => {
  const told = runningJob(10, 101);
  for (let event = 0; event < 10; event++) told.tell(10);
  const open = streams();
  const [all, some, ahead] = [0, 104, 112].map((after) => textOf(open.open(told.job, { after })));
  await expect.poll(() => told.listeners).toBe(1);
  for (let event = 0; event < 4; event++) told.tell(10);
  told.end();
  expect(await all).toContain("100 earlier events are not kept any more.");
  expect(idsOf((await all) ?? "")).toEqual(range(100, 116));
  expect(idsOf((await some) ?? "")).toEqual(range(105, 116));
  expect(idsOf((await ahead) ?? "")).toEqual(range(113, 116));
});

test("others have their turn while a thousand readers are served", async () => {
  const told = runningJob(1000);
  for (let event = 0; event < 1000; event++) told.tell(200);
  told.end();
  const open = streams();
  let done = 0;
  let turns = 0;
  const count = (): void => {
    turns++;
    if (done < 1000) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(range(1, 1000).map(async () => (await textOf(open.open(told.job, { after: 0 })), done++)));
  // In one turn of the event loop there is room for few of them.
  expect(turns).toBeGreaterThan(20);
  expect(told.written).toBe(1000);
});

test("nothing listens for a reader that has never read, nor for one that has left", async () => {
  const told = runningJob();
  const open = streams();
  open.open(told.job, { after: 0 });
  const [reader] = await followed(open.open(told.job, { after: 0 }));
  expect(told.listeners).toBe(1);
  await reader.cancel();
  expect(told.listeners).toBe(0);
  const [again, next] = await followed(open.open(told.job, { after: 0 }));
  told.tell(10);
  expect(Buffer.from(((await next) as { readonly value: Uint8Array }).value).toString()).toContain(
    '"SeqID":"00000001"',
  );
  await again.cancel();
});
