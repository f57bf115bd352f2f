import { afterEach, describe, expect, test } from "vitest";
import type { JobUrn } from "../../../../../runtime/job/job.ts";
import type { Reply, Talk } from "../../../../../runtime/job/question.ts";
import type {
  Claim,
  JobStore,
  Lease,
  NewJob,
  StoredEvent,
  StoredOutcome,
} from "../../../../../runtime/executor/store/job-store.ts";
import type { RemembersAttempts, RemembersInputs } from "../../../../../runtime/executor/store/attempts.ts";
import { hasDeadLetters } from "../../../../../runtime/executor/store/dead-letters.ts";
import type { CountsJobs, ToolCounts } from "../../../../../runtime/executor/store/job-counts.ts";
import type { ListFilter, ListsJobs } from "../../../../../runtime/executor/store/listed-jobs.ts";
import { describeKept } from "./conformance-kept.ts";
import { describeSchedules } from "./conformance-schedules.ts";
import { describeLimits } from "./conformance-limits.ts";
import { describeDebounce } from "./conformance-debounce.ts";
import { describeHeadStarts } from "./conformance-head-starts.ts";
import { describeRates } from "./conformance-rates.ts";
import { checkModel, interruptedError, modelFailure, shown, VirtualClock, type Tolerated } from "./store-model.ts";
import type { MaybePromise } from "../../../../../runtime/executor/store/maybe-promise.ts";

type ListingStore = JobStore & Pick<ListsJobs, "list"> & CountsJobs;

export interface OpenOptions {
  readonly now: () => number;
  readonly maxFinished?: number;
  readonly perTool?: ReadonlyMap<string, number>;
  readonly keptInput?: number;
}

/** One place where jobs may be, empty at first. */
export interface StorePlace {
  open(options: OpenOptions): MaybePromise<ListingStore>;
  /** Removes what is left. */
  remove?(): void;
}

export interface StoreUnderTest {
  readonly place: () => StorePlace;
  /** Jobs survive the store: what is opened again at the same place has them. */
  readonly durable: boolean;
  /** Tests that a store is known to fail, with the reason; they are skipped, and the reason is shown. */
  readonly gaps?: Readonly<Record<string, string>>;
  /** The same for the model. */
  readonly tolerated?: readonly Tolerated[];
  /** Random sequences of calls, for a store that takes longer than one in this process; default 200. */
  readonly modelRuns?: number;
}

const ok: StoredOutcome = { state: "succeeded", result: { kind: "json", json: '{"ok":true}' } };
const other: StoredOutcome = { state: "succeeded", result: { kind: "json", json: '{"ok":false}' } };

export function urn(name: string): JobUrn {
  return `urn:platform:job:${name}`;
}

export function newJob(name: string, more: Partial<NewJob> = {}): NewJob {
  return { id: urn(name), tool: "one", input: { n: 1 }, ttl: 60, maxAttempts: 3, ...more };
}

export function event(sequence: number, text = "said"): StoredEvent {
  return { sequence, body: { $schema: "urn:platform:schema:service.event.generic.1", text, sequence } };
}

/** Questions of a job that has looked at some replies. */
function talk(seen: number): Talk {
  const open = { a: { method: "elicitation/create", params: { message: "A\u0000?" } } } as const;
  return { capabilities: { elicitation: {} }, asked: { a: "digest" }, answers: {}, open, seen };
}

function reply(key: string, text: string): Reply {
  return { key, digest: "digest", answer: { action: "accept", content: { text } } };
}

export function given(claim: Claim | undefined): Claim {
  if (claim === undefined) throw new Error("the store gave no claim");
  return claim;
}

/** Promises of every `JobStore` (the seam in `job-store.ts`, invariants 1 to 8). */
export function describeStore(name: string, store: StoreUnderTest): void {
  const { place, durable, gaps = {}, tolerated = [], modelRuns } = store;
  describe(`${name}: a job store`, () => {
    const closing: (() => unknown)[] = [];
    afterEach(async () => {
      for (const close of closing.splice(0).toReversed()) await close();
    });

    async function fresh(
      options: Partial<OpenOptions> = {},
    ): Promise<{ store: ListingStore; clock: VirtualClock; at: StorePlace }> {
      const clock = new VirtualClock();
      const at = place();
      closing.push(() => at.remove?.());
      const store = await at.open({ now: clock.now, ...options });
      closing.push(() => store.close());
      return { store, clock, at };
    }

    /** A store with one job that is being run. */
    async function running(
      more: Partial<NewJob> = {},
    ): ReturnType<typeof fresh> extends Promise<infer T> ? Promise<T & { lease: Lease; id: JobUrn }> : never {
      const opened = await fresh();
      await opened.store.submit(newJob("a", more));
      const { lease } = given(await opened.store.claim({ seconds: 15 }));
      return { ...opened, lease, id: lease.id };
    }

    function promise(title: string, body: () => Promise<void>): void {
      const gap = gaps[title];
      // oxlint-disable-next-line vitest/valid-title, vitest/expect-expect -- titles and bodies are handed in
      test.skipIf(gap !== undefined)(gap === undefined ? title : `${title} [known gap: ${gap}]`, { retry: 0 }, body);
    }

    test.runIf(durable)("the request of an ended job is deleted, unless it has at most `keptInput` bytes", async () => {
      const requests = { short: { ä: 1 }, long: { ä: 10 } };
      for (const [keptInput, kept] of [
        [undefined, []],
        [8, ["short"]],
      ] as const) {
        const { store } = await fresh(keptInput === undefined ? {} : { keptInput });
        for (const [name, input] of Object.entries(requests)) {
          await store.submit(newJob(name, { input }));
          await store.submit(newJob(`${name}-cancelled`, { input }));
          await store.settle(given(await store.claim({ seconds: 15, id: urn(name) })).lease, ok);
          await store.cancel(urn(`${name}-cancelled`), "later");
        }
        const inputOf = async (name: string): Promise<unknown> =>
          await (store as Partial<RemembersInputs>).input?.(urn(name));
        for (const [name, input] of Object.entries(requests)) {
          const expected = (kept as readonly string[]).includes(name) ? input : undefined;
          expect(await inputOf(name)).toEqual(expected);
          expect(await inputOf(`${name}-cancelled`)).toEqual(expected);
        }
      }
    });

    describe("attempts", () => {
      promise(
        "are told with their workers, their ends and their events, also over a restart and a redrive",
        async () => {
          const { store: first, clock, at } = await fresh();
          let store: ListingStore & Partial<RemembersAttempts> = first;
          const told = async (): Promise<unknown> =>
            (await store.attempts?.(urn("a")))?.map(({ attempt, state, worker, detail, lastEvent }) =>
              [attempt, state, worker, detail, lastEvent].filter((part) => part !== undefined).join(" "),
            );
          // A store that ends with its process has no earlier attempts to tell of.
          if (store.attempts === undefined || !hasDeadLetters(store)) {
            expect(durable).toBe(false);
            return;
          }
          expect(await told()).toEqual([]);
          await store.submit(newJob("a"), 15, "w1");
          const [one] = await store.attempts(urn("a"));
          expect(one).toEqual({ attempt: 1, state: "executing", startedAt: clock.now(), worker: "w1" });
          clock.advance(15_000);
          await store.reap();
          expect(await told()).toEqual(["1 lost w1"]);
          const second = given(await store.claim({ seconds: 15, tools: ["one"], worker: "w2" }));
          await store.progress(second.lease, [event(1), event(2)]);
          await store.release(second.lease, 0);
          const third = given(await store.claim({ seconds: 15, tools: ["one"], worker: "w3" }));
          await store.lose(third.lease, "It ended with exit code 1.\nits log");
          clock.advance(1000);
          const fourth = given(await store.claim({ seconds: 15, tools: ["one"] }));
          const lost = ["1 lost w1", "2 released w2 2", "2 lost w3 It ended with exit code 1. 2"];
          expect(await told()).toEqual([...lost, "3 executing"]);
          await store.close();
          store = await at.open({ now: clock.now });
          closing.push(() => store.close());
          if (durable) expect(await told()).toEqual([...lost, "3 executing"]);
          if (!hasDeadLetters(store)) return;
          await store.lose(fourth.lease, "gone");
          expect(await told()).toEqual([...lost, "3 lost gone 2"]);
          await store.redrive(urn("a"));
          expect(await told()).toEqual([...lost, "3 lost gone"]);
          const again = given(await store.claim({ seconds: 15, tools: ["one"], worker: "w5" }));
          await store.settle(again.lease, ok);
          expect(await told()).toEqual([...lost, "3 lost gone", "1 succeeded w5"]);
          expect((await store.attempts?.(urn("a")))?.at(-1)).toMatchObject({
            startedAt: clock.now(),
            endedAt: clock.now(),
          });
        },
      );

      promise("have the one that ended as a dead letter by itself", async () => {
        const { store }: { store: ListingStore & Partial<RemembersAttempts> } = await fresh();
        await store.submit(newJob("a"));
        const { lease } = given(await store.claim({ seconds: 15, worker: "w1" }));
        await store.settle(lease, { state: "error", error: { kind: "outdated", message: "" } });
        const attempts = (await store.attempts?.(urn("a"))) ?? [{ attempt: 1, state: "error" }];
        expect(attempts.map(({ attempt, state }) => `${attempt} ${state}`)).toEqual(["1 error"]);
      });

      promise("of a job that was parked are told with their ends, also when it has ended", async () => {
        const { store }: { store: ListingStore & Partial<RemembersAttempts> } = await fresh();
        const states = async (): Promise<unknown> =>
          (await store.attempts?.(urn("a")))?.map(({ attempt, state, endedAt }) => [
            attempt,
            state,
            endedAt !== undefined,
          ]);
        await store.submit(newJob("a"));
        const { lease } = given(await store.claim({ seconds: 15 }));
        await store.keep(lease, [{ key: "one", state: "done", tries: 0, fingerprint: "" }]);
        await store.park(lease, { waits: ["go"] });
        expect(await states()).toEqual([[1, "parked", true]]);
        expect((await store.list(Number.MAX_SAFE_INTEGER, 1)).jobs[0]?.startedAt).toBeUndefined();
        await store.send(urn("a"), { name: "go", body: "1" });
        const again = given(await store.claim({ seconds: 15 }));
        expect(await states()).toEqual([
          [1, "parked", true],
          [1, "executing", false],
        ]);
        await store.settle(again.lease, ok);
        expect(await states()).toEqual([
          [1, "parked", true],
          [1, "succeeded", true],
        ]);
      });

      promise("that were given back again and again are bounded", async () => {
        const { store }: { store: ListingStore & Partial<RemembersAttempts> } = await fresh();
        await store.submit(newJob("a"));
        for (let round = 0; round < 25; round++) {
          await store.release(given(await store.claim({ seconds: 15, tools: ["one"], worker: `w${round}` })).lease, 0);
        }
        const attempts = await store.attempts?.(urn("a"));
        expect(attempts === undefined || attempts.length === 20).toBe(true);
        expect(attempts?.at(-1)?.worker ?? "w24").toBe("w24");
      });
    });

    describe("list", () => {
      promise("the latest first, by owner, page by page, and nothing of a job's owner", async () => {
        const { store } = await fresh();
        const owners = { a: "ann", b: "bob", c: undefined, d: "ann", e: "ann" };
        for (const [name, owner] of Object.entries(owners)) {
          await store.submit(newJob(name, owner === undefined ? {} : { owner }));
          const { lease } = given(await store.claim({ seconds: 15, id: urn(name) }));
          if (name !== "d") await store.settle(lease, ok);
        }
        const last = Number.MAX_SAFE_INTEGER;
        const { jobs: all } = await store.list(last, 10);
        expect(all.map(({ id }) => id)).toEqual(["e", "d", "c", "b", "a"].map(urn));
        expect(all.map(({ state }) => state)).toEqual([
          "succeeded",
          "executing",
          "succeeded",
          "succeeded",
          "succeeded",
        ]);
        for (const job of all) {
          expect(job).not.toHaveProperty("owner");
          expect(job.startedAt).toBeGreaterThan(0);
          expect(job.endedAt === undefined).toBe(job.state === "executing");
          expect((await store.get(job.id))?.endedAt).toBe(job.endedAt);
        }
        const { jobs: own } = await store.list(last, 2, { of: { owner: "ann" } });
        expect(own.map(({ id }) => id)).toEqual([urn("e"), urn("d")]);
        const { jobs: rest } = await store.list(own.at(-1)?.seq ?? 0, 2, { of: { owner: "ann" } });
        expect(rest.map(({ id }) => id)).toEqual([urn("a")]);
        const nobodys = await store.list(last, 9, { of: { owner: undefined } });
        expect(nobodys.jobs.map(({ id }) => id)).toEqual([urn("c")]);
        expect(await store.list(last, 9, { of: { owner: "nobody" } })).toEqual({ jobs: [] });
      });

      promise("only the jobs of a filter, and where to go on after those that were examined", async () => {
        const { store } = await fresh();
        const trace = "0af7651916cd43dd8448eb211c80319c";
        const submitted = {
          a: { tool: "count", owner: "ann", traceparent: `00-${trace}-b7ad6b7169203331-01` },
          b: { tool: "other", owner: "ann" },
          c: { tool: "count", owner: "bob" },
          d: { tool: "count", owner: "ann" },
          e: { tool: "third", owner: "ann" },
        };
        for (const [name, more] of Object.entries(submitted)) await store.submit(newJob(name, more));
        const lease = async (name: string) => given(await store.claim({ seconds: 15, id: urn(name) })).lease;
        await store.settle(await lease("a"), ok);
        await store.settle(await lease("b"), { state: "failed", error: { kind: "user-input", message: "No." } });
        await lease("d");
        const last = Number.MAX_SAFE_INTEGER;
        const list = async (filter: ListFilter, limit = 9, before = last) => {
          const { jobs, next } = await store.list(before, limit, filter);
          return { names: jobs.map(({ id }) => id.slice(-1)).join(""), next };
        };
        const all = (await store.list(last, 9)).jobs;
        const placeOf = (name: string) => all.find(({ id }) => id === urn(name))?.seq ?? 0;
        expect(await list({ tools: ["count", "third"] })).toEqual({ names: "edca", next: undefined });
        expect(await list({ tools: [] })).toEqual({ names: "", next: undefined });
        expect(await list({ state: "pending" })).toEqual({ names: "ec", next: undefined });
        expect(await list({ state: "executing" })).toEqual({ names: "d", next: undefined });
        expect(await list({ state: "succeeded" })).toEqual({ names: "a", next: undefined });
        expect(await list({ state: "failed", of: { owner: "ann" } })).toEqual({ names: "b", next: undefined });
        expect(await list({ state: "none" })).toEqual({ names: "", next: undefined });
        expect(await list({ tools: ["\0"], state: "\0", trace: "\0" })).toEqual({ names: "", next: undefined });
        expect(await list({ trace })).toEqual({ names: "a", next: undefined });
        expect(await list({ id: urn("b"), of: { owner: "ann" } })).toEqual({ names: "b", next: undefined });
        expect(await list({ id: urn("b"), of: { owner: "bob" } })).toEqual({ names: "", next: undefined });
        expect(await list({ id: urn("b") }, 9, placeOf("b"))).toEqual({ names: "", next: undefined });

        expect(await list({}, 2)).toEqual({ names: "ed", next: placeOf("d") });
        const own = { of: { owner: "ann" }, tools: ["count"], most: 3 };
        // The job of another owner between them is not counted.
        expect(await list(own)).toEqual({ names: "d", next: placeOf("b") });
        expect(await list(own, 9, placeOf("b"))).toEqual({ names: "a", next: undefined });
        expect(await list({ ...own, most: 2 })).toEqual({ names: "d", next: placeOf("d") });
        expect(await list(own, 1)).toEqual({ names: "d", next: placeOf("d") });
      });

      promise("why a job failed and what it was asked, cut, as long as the store has it", async () => {
        const { store } = await fresh();
        const long = '\u{1f600}\u0000"\\'.repeat(500);
        const failures = {
          short: { kind: "user-input", message: 'No "price"\n' },
          refused: {
            kind: "validation",
            message: "No.",
            problems: [{ path: "/item", expected: "text", message: "It is 7." }],
          },
          long: { kind: "system", message: long, problems: [{ path: "/item", expected: "text", message: long }] },
        } as const;
        for (const [name, error] of Object.entries(failures)) {
          await store.submit(newJob(name, { input: { item: name } }));
          const { lease } = given(await store.claim({ seconds: 15, id: urn(name) }));
          await store.settle(lease, { state: "failed", error });
        }
        await store.submit(newJob("waiting", { input: { item: "lamp", more: [long, { deep: [1, null] }] } }));
        await store.submit(newJob("brief", { input: [true, "ä", {}] }));
        await store.submit(newJob("stopped"));
        await store.cancel(urn("stopped"), "The caller cancelled the job.");
        const { jobs: list } = await store.list(Number.MAX_SAFE_INTEGER, 9);
        const by = new Map(list.map((job) => [job.id, job]));
        expect(by.get(urn("short"))).toMatchObject({ error: failures.short });
        expect(by.get(urn("short"))).not.toHaveProperty("request");
        expect(by.get(urn("refused"))?.error).toEqual({ kind: "validation", message: "No. /item: It is 7." });
        const { kind, message = "" } = by.get(urn("long"))?.error ?? {};
        expect([kind, message.length]).toEqual(["system", 300]);
        expect(long.startsWith(message.replace(/…$/, ""))).toBe(true);
        expect(by.get(urn("stopped"))?.error).toEqual({
          kind: "cancelled",
          message: "The caller cancelled the job.",
        });
        expect(by.get(urn("waiting"))?.request).toMatch(/^\{"item":"lamp","more":\["😀\\u0000.*…$/);
        expect(by.get(urn("waiting"))?.request).toHaveLength(300);
        expect(by.get(urn("waiting"))).not.toHaveProperty("startedAt");
        expect(by.get(urn("brief"))).toMatchObject({ request: '[true,"ä",{}]' });
        expect(by.get(urn("brief"))).not.toHaveProperty("error");
      });
    });

    describe("counts", () => {
      promise(
        "what waits, since when, and what runs, by tool; not what a delay holds back or what has ended",
        async () => {
          const { store, clock } = await fresh();
          const counts = async (): Promise<Readonly<Record<string, Omit<ToolCounts, "tool">>>> =>
            Object.fromEntries((await store.counts()).map(({ tool, ...rest }) => [tool, rest]));
          const none = { waiting: 0, running: 0, dead: 0, oldestWaiting: 0 };
          expect(await counts()).toEqual({});
          await store.submit(newJob("a"));
          clock.advance(2000);
          await store.submit(newJob("b"));
          await store.submit(newJob("c", { tool: "two" }), 15);
          clock.advance(1000);
          expect(await counts()).toEqual({
            one: { ...none, waiting: 2, oldestWaiting: 3 },
            two: { ...none, running: 1 },
          });
          const { lease } = given(await store.claim({ seconds: 15, id: urn("a") }));
          expect(await counts()).toEqual({
            one: { ...none, waiting: 1, running: 1, oldestWaiting: 1 },
            two: { ...none, running: 1 },
          });
          await store.release(lease, 5);
          expect((await counts())["one"]).toEqual({ ...none, waiting: 1, oldestWaiting: 1 });
          clock.advance(6000);
          expect((await counts())["one"]).toEqual({ ...none, waiting: 2, oldestWaiting: 7 });
          const again = given(await store.claim({ seconds: 15, id: urn("a") }));
          await store.settle(again.lease, ok);
          expect((await counts())["one"]).toEqual({ ...none, waiting: 1, oldestWaiting: 7 });
          clock.advance(8000);
          await store.reap();
          clock.advance(1000);
          expect(await counts()).toEqual({
            one: { ...none, waiting: 1, oldestWaiting: 16 },
            two: { ...none, waiting: 1, oldestWaiting: 1 },
          });
        },
      );
    });

    describe("submit", () => {
      promise("takes a job in; it is pending, unclaimed, and shows who owns it", async () => {
        const { store } = await fresh();
        expect(await store.submit(newJob("a", { owner: "anna" }))).toEqual({ kind: "created" });
        expect(await store.get(urn("a"))).toEqual({
          id: urn("a"),
          tool: "one",
          state: "pending",
          owner: "anna",
          attempt: 0,
          events: [],
        });
      });

      promise("whoever claims a job learns who called", async () => {
        const { store } = await fresh();
        const caller = { subject: "ann", client: "app", scopes: ["a", "b"], claims: { sub: "ann", tenant: { id: 1 } } };
        await store.submit(newJob("a", { owner: "anna", caller }));
        await store.submit(newJob("b"));
        expect(given(await store.claim({ seconds: 15, id: urn("a") })).job.caller).toEqual(caller);
        expect(given(await store.claim({ seconds: 15, id: urn("b") })).job.caller).toBeUndefined();
      });

      promise("the same id again is the same job, whatever has become of it", async () => {
        const { store, lease, id } = await running();
        const again = await store.submit(newJob("a"));
        expect(again).toEqual({ kind: "existing", record: await store.get(id) });
        await store.settle(lease, ok);
        const after = await store.submit(newJob("a"));
        expect(after.kind === "existing" && after.record.outcome).toEqual(ok);
      });

      promise("the same id for another tool is a conflict", async () => {
        const { store } = await running();
        expect(await store.submit(newJob("a", { tool: "two" }))).toEqual({ kind: "conflict" });
      });

      promise("the same id with another digest is a conflict, while it runs and after", async () => {
        const { store, lease } = await running({ idempotency: { key: "k", digest: "d1" } });
        const second = newJob("a", { idempotency: { key: "other", digest: "d2" } });
        expect(await store.submit(second)).toEqual({ kind: "conflict" });
        await store.settle(lease, ok);
        expect(await store.submit(second)).toEqual({ kind: "conflict" });
      });

      promise("invariant 6: the same key and digest is the same job; another digest is a conflict", async () => {
        const { store, lease } = await running({ idempotency: { key: "k", digest: "d1" } });
        const same = newJob("b", { idempotency: { key: "k", digest: "d1" } });
        const differs = newJob("c", { idempotency: { key: "k", digest: "d2" } });
        for (const state of ["executing", "succeeded"] as const) {
          const answer = await store.submit(same);
          expect(answer.kind === "existing" && [answer.record.id, answer.record.state]).toEqual([urn("a"), state]);
          expect(await store.submit(differs)).toEqual({ kind: "conflict" });
          await store.settle(lease, ok);
        }
        expect(await store.get(urn("b"))).toBeUndefined();
        expect(await store.get(urn("c"))).toBeUndefined();
      });

      promise("with a lease it is claimed in the same step, before anybody else can", async () => {
        const { store, clock } = await fresh();
        const [answer, claim] = await Promise.all([store.submit(newJob("a"), 15), store.claim({ seconds: 15 })]);
        expect([answer.kind, claim]).toEqual(["created", undefined]);
        const lease = answer.kind === "created" ? answer.lease : undefined;
        if (lease === undefined) throw new Error("no lease");
        expect(lease).toEqual({ id: urn("a"), attempt: 1, token: expect.stringMatching(/^.{16,}$/) });
        expect(await store.get(urn("a"))).toMatchObject({ state: "executing", attempt: 1 });
        clock.advance(14_999);
        await store.reap();
        expect(await store.renew(lease, 15)).toBe("ok");
        expect(await store.settle(lease, ok)).toBe("ok");
      });

      promise("a known job is not claimed by submitting it again", async () => {
        const { store } = await fresh();
        await store.submit(newJob("a"));
        const again = await store.submit(newJob("a"), 15);
        expect(again.kind === "existing" && again.record.state).toBe("pending");
        expect(given(await store.claim({ seconds: 15 })).lease.attempt).toBe(1);
      });

      promise("keys of different callers never meet", async () => {
        const { store } = await fresh();
        const idempotency = { key: "k", digest: "d1" };
        expect(await store.submit(newJob("a", { idempotency, owner: "anna" }))).toEqual({ kind: "created" });
        expect(await store.submit(newJob("b", { idempotency, owner: "ben" }))).toEqual({ kind: "created" });
        expect(await store.submit(newJob("c", { idempotency }))).toEqual({ kind: "created" });
      });

      promise("ids and keys are free again when the job has expired", async () => {
        const { store, lease, clock } = await running({ ttl: 10, idempotency: { key: "k", digest: "d1" } });
        await store.settle(lease, ok);
        clock.advance(10_000);
        expect(await store.submit(newJob("b", { idempotency: { key: "k", digest: "d2" } }))).toEqual({
          kind: "created",
        });
        expect(await store.submit(newJob("a", { tool: "two" }))).toEqual({ kind: "created" });
      });

      promise("twenty submits of one id at once take one job in", async () => {
        const { store } = await fresh();
        const answers = await Promise.all(Array.from({ length: 20 }, () => store.submit(newJob("a"))));
        expect(answers.map(({ kind }) => kind).toSorted()).toEqual(["created", ...Array(19).fill("existing")]);
      });
    });

    describe("claim", () => {
      promise("gives the job as it was handed in", async () => {
        const { store } = await fresh();
        const job = newJob("a", {
          input: { text: "ä\u0000\u{1f600}", list: [1, null, { deep: true }], empty: {} },
          owner: "anna",
          idempotency: { key: "k", digest: "d" },
          traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
          tracestate: "a=b",
          baggage: "tenant=blue",
        });
        await store.submit(job);
        const claim = given(await store.claim({ seconds: 15 }));
        expect(claim.job).toEqual(job);
        expect(claim.lease).toEqual({ id: urn("a"), attempt: 1, token: expect.stringMatching(/^.{16,}$/) });
        expect(await store.get(urn("a"))).toMatchObject({ state: "executing", attempt: 1 });
      });

      promise("says up to where earlier attempts have numbered their events", async () => {
        const { store, clock } = await fresh();
        await store.submit(newJob("a"));
        const first = given(await store.claim({ seconds: 15 }));
        await store.progress(first.lease, [event(1), event(2), event(3)]);
        await store.release(first.lease, 0);
        const second = given(await store.claim({ seconds: 15 }));
        await store.progress(second.lease, [event(4)]);
        clock.advance(15_000);
        await store.reap();
        const third = given(await store.claim({ seconds: 15 }));
        expect([first, second, third].map(({ lastSequence }) => lastSequence)).toEqual([0, 3, 4]);
      });

      promise("inputs that are no objects come back as they are", async () => {
        const { store } = await fresh();
        for (const [index, input] of [null, 0, "", false, [], undefined].entries()) {
          await store.submit(newJob(`j${index}`, { input }));
          expect(given(await store.claim({ seconds: 15 })).job.input).toEqual(input);
        }
      });

      promise("nothing waits: nothing is given", async () => {
        const { store } = await running();
        expect(await store.claim({ seconds: 15 })).toBeUndefined();
        expect(await store.claim({ seconds: 15, id: urn("a") })).toBeUndefined();
        expect(await store.claim({ seconds: 15, id: urn("nobody") })).toBeUndefined();
      });

      promise("the oldest first, also after it came back; of the tools that were asked for", async () => {
        const { store } = await fresh();
        for (const [name, tool] of [
          ["a", "one"],
          ["b", "two"],
          ["c", "one"],
          ["d", "three"],
        ] as const) {
          await store.submit(newJob(name, { tool }));
        }
        const first = given(await store.claim({ seconds: 15 }));
        expect(first.job.id).toBe(urn("a"));
        expect(given(await store.claim({ seconds: 15, tools: ["three", "one"] })).job.id).toBe(urn("c"));
        await store.release(first.lease, 0);
        expect(given(await store.claim({ seconds: 15, tools: ["one", "two"] })).job.id).toBe(urn("a"));
        expect(await store.claim({ seconds: 15, tools: [] })).toBeUndefined();
        expect(await store.claim({ seconds: 15, tools: ["four"] })).toBeUndefined();
        expect(given(await store.claim({ seconds: 15, id: urn("d") })).job.id).toBe(urn("d"));
      });

      promise("concurrent claims never get the same job", async () => {
        const { store } = await fresh();
        await Promise.all(Array.from({ length: 50 }, (_, index) => store.submit(newJob(`j${index}`))));
        const claims = await Promise.all(Array.from({ length: 60 }, () => store.claim({ seconds: 15 })));
        const got = claims.filter((claim) => claim !== undefined);
        expect(got).toHaveLength(50);
        expect(new Set(got.map(({ job }) => job.id)).size).toBe(50);
        expect(new Set(got.map(({ lease }) => lease.token)).size).toBe(50);
      });
    });

    describe("suspects", () => {
      promise("a job that has lost all attempts but one is passed over where it is not wanted", async () => {
        const { store, clock } = await fresh();
        await store.submit(newJob("a", { maxAttempts: 2 }));
        await store.submit(newJob("b", { maxAttempts: 3 }));
        await store.submit(newJob("c", { maxAttempts: 1 }));
        const claimed = async (withoutSuspects: boolean): Promise<unknown> =>
          (await store.claim({ seconds: 15, tools: ["one"], withoutSuspects }))?.job.id;
        expect([await claimed(true), await claimed(true)]).toEqual([urn("a"), urn("b")]);
        clock.advance(15_000);
        await store.reap();
        expect([await claimed(true), await claimed(true), await claimed(true)]).toEqual([
          urn("b"),
          urn("c"),
          undefined,
        ]);
        expect(await claimed(false)).toBe(urn("a"));
      });
    });

    describe("fencing (invariants 2 and 3)", () => {
      const writes: readonly (readonly [string, (store: JobStore, lease: Lease) => unknown])[] = [
        ["renew", (store, lease) => store.renew(lease, 60)],
        ["progress", (store, lease) => store.progress(lease, [event(9, "stale")])],
        ["settle", (store, lease) => store.settle(lease, other)],
        ["release", (store, lease) => store.release(lease, 0)],
      ];

      for (const [verb, write] of writes) {
        promise(`${verb} of an earlier attempt is refused and has no effect`, async () => {
          const { store, lease, id, clock } = await running();
          clock.advance(15_000);
          await store.reap();
          expect(await write(store, lease)).toBe("stale");
          const { lease: later } = given(await store.claim({ seconds: 15 }));
          const before = await store.get(id);
          expect(await write(store, lease)).toBe("stale");
          expect(await store.get(id)).toEqual(before);
          expect(await store.settle(later, ok)).toBe("ok");
          expect(await write(store, lease)).toBe("ended");
          expect((await store.get(id))?.outcome).toEqual(ok);
        });

        promise(`${verb} with a wrong token or attempt is refused, of an unknown job unknown`, async () => {
          const { store, lease, id } = await running();
          const before = await store.get(id);
          expect(await write(store, { ...lease, token: "guessed" })).toBe("stale");
          expect(await write(store, { ...lease, attempt: 2 })).toBe("stale");
          expect(await write(store, { ...lease, id: urn("nobody") })).toBe("unknown");
          expect(await store.get(id)).toEqual(before);
        });

        promise(`${verb} after a release is refused, also when the job waits`, async () => {
          const { store, lease, id } = await running();
          await store.release(lease, 0);
          const before = await store.get(id);
          expect(await write(store, lease)).toBe("stale");
          expect(await store.get(id)).toEqual(before);
        });
      }

      promise("a late write is taken while nobody has put the job back", async () => {
        const { store, lease, clock } = await running();
        clock.advance(3_600_000);
        expect(await store.settle(lease, ok)).toBe("ok");
      });
    });

    describe("renew", () => {
      promise("keeps the job from being put back", async () => {
        const { store, lease, id, clock } = await running();
        clock.advance(14_999);
        expect(await store.renew(lease, 15)).toBe("ok");
        clock.advance(14_999);
        await store.reap();
        expect(await store.get(id)).toMatchObject({ state: "executing", attempt: 1 });
        clock.advance(1);
        await store.reap();
        expect(await store.get(id)).toMatchObject({ state: "pending", attempt: 1 });
      });

      promise("invariant 7: tells the worker that somebody cancelled the job, and why", async () => {
        const { store, lease, id } = await running();
        expect(await store.cancel(id, "no longer needed")).toBe("ok");
        expect(await store.renew(lease, 15)).toEqual({ cancel: "no longer needed" });
      });
    });

    describe("progress (invariant 8)", () => {
      promise("adds events in order; what was said already is ignored", async () => {
        const { store, lease, id } = await running();
        expect(await store.progress(lease, [event(1), event(2)])).toBe("ok");
        expect(await store.progress(lease, [event(2, "again"), event(3)])).toBe("ok");
        expect(await store.progress(lease, [event(1, "again")])).toBe("ok");
        expect(await store.progress(lease, [])).toBe("ok");
        expect((await store.get(id))?.events).toEqual([event(1), event(2), event(3)]);
        await store.settle(lease, ok);
        expect(await store.progress(lease, [event(4)])).toBe("ended");
        expect((await store.get(id))?.events).toEqual([event(1), event(2), event(3)]);
      });

      promise("keeps the last 1000 events of a job", async () => {
        const { store, lease, id } = await running();
        const events = Array.from({ length: 1500 }, (_, index) => event(index + 1));
        for (let at = 0; at < events.length; at += 70) await store.progress(lease, events.slice(at, at + 70));
        const kept = (await store.get(id))?.events ?? [];
        expect([kept.length, kept[0]?.sequence, kept.at(-1)?.sequence]).toEqual([1000, 501, 1500]);
        await store.progress(lease, [event(3, "again")]);
        expect((await store.get(id))?.events).toEqual(kept);
      });

      promise("a record is a copy: it does not change with the job", async () => {
        const { store, lease, id } = await running();
        const before = await store.get(id);
        await store.progress(lease, [event(1)]);
        expect(before?.events).toEqual([]);
      });
    });

    describe("settle", () => {
      const outcomes: Readonly<Record<string, StoredOutcome>> = {
        json: ok,
        "text with every kind of character": {
          state: "succeeded",
          result: { kind: "text", text: "ä\u0000\u{1f600}\r\n" },
        },
        "no text": { state: "succeeded", result: { kind: "text", text: "" } },
        bytes: {
          state: "succeeded",
          result: {
            kind: "binary",
            contentType: "image/png",
            content: Uint8Array.from({ length: 300 }, (_, at) => at),
          },
        },
        "no bytes": { state: "succeeded", result: { kind: "binary", contentType: "a/b", content: new Uint8Array() } },
        "6 MiB": { state: "succeeded", result: { kind: "text", text: "x".repeat(6 * 1024 * 1024) } },
        "a user's mistake": { state: "failed", error: { kind: "user-input", message: "too \u0000 small" } },
        problems: {
          state: "failed",
          error: {
            kind: "validation",
            message: "no",
            problems: [{ path: "/a~1b", expected: "number", value: null, message: "is no number" }],
          },
        },
        "an error": { state: "error", error: { kind: "system", message: "The tool failed." } },
      };
      for (const [what, outcome] of Object.entries(outcomes)) {
        promise(`keeps ${what}`, async () => {
          const { store, lease, id } = await running();
          expect(await store.settle(lease, outcome)).toBe("ok");
          const record = await store.get(id);
          expect(record?.state).toBe(outcome.state);
          expect(shown(record)?.outcome).toEqual(shown({ ...(record ?? never()), outcome })?.outcome);
        });
      }

      promise("bytes are taken at the call: the caller may reuse its buffer", async () => {
        const { store, lease, id } = await running();
        const content = Uint8Array.of(1, 2, 3);
        const settled = store.settle(lease, {
          state: "succeeded",
          result: { kind: "binary", contentType: "a/b", content },
        });
        content.fill(9);
        await settled;
        const outcome = (await store.get(id))?.outcome;
        const result = outcome?.state === "succeeded" && outcome.result.kind === "binary" && outcome.result.content;
        expect([...(result || [])]).toEqual([1, 2, 3]);
      });

      promise("invariants 1 and 5: the first end counts; the same again is harmless", async () => {
        const { store, lease, id } = await running();
        const answers = await Promise.all([
          store.settle(lease, ok),
          store.settle(lease, ok),
          store.settle(lease, other),
        ]);
        expect(answers).toEqual(["ok", "ended", "ended"]);
        expect(await store.cancel(id, "late")).toBe("ended");
        expect(await store.release(lease, 0)).toBe("ended");
        expect((await store.get(id))?.outcome).toEqual(ok);
      });
    });

    describe("release", () => {
      promise("hands the job back without spending the attempt, any number of times", async () => {
        const { store, clock } = await fresh();
        await store.submit(newJob("a", { maxAttempts: 2 }));
        for (let time = 0; time < 5; time++) {
          const { lease } = given(await store.claim({ seconds: 15 }));
          expect(lease.attempt).toBe(1);
          expect(await store.release(lease, 0)).toBe("ok");
          expect(await store.get(urn("a"))).toMatchObject({ state: "pending" });
        }
        await store.claim({ seconds: 15 });
        clock.advance(15_000);
        await store.reap();
        expect(given(await store.claim({ seconds: 15 })).lease.attempt).toBe(2);
      });

      promise("with a delay the job waits that long, for claims by name too", async () => {
        const { store, lease, id, clock } = await running();
        await store.submit(newJob("b"));
        await store.release(lease, 10);
        expect(given(await store.claim({ seconds: 15 })).job.id).toBe(urn("b"));
        clock.advance(9_999);
        expect(await store.claim({ seconds: 15 })).toBeUndefined();
        expect(await store.claim({ seconds: 15, id })).toBeUndefined();
        clock.advance(1);
        expect(given(await store.claim({ seconds: 15 })).job.id).toBe(id);
      });
    });

    describeKept(running, promise);
    describeSchedules(fresh, promise);
    describeLimits(fresh, promise);
    describeRates(fresh, promise);
    describeDebounce(fresh, promise);
    describeHeadStarts(fresh, promise);

    describe("questions", () => {
      promise("are read by everybody, replaced by the holder of the job alone, and gone with its end", async () => {
        const { store, lease, id, clock } = await running({ talk: talk(0) });
        expect(await store.get(id)).toMatchObject({ talk: talk(0) });
        expect(await store.ask(lease, talk(1))).toBe("ok");
        expect(await store.get(id)).toMatchObject({ talk: talk(1) });
        clock.advance(15_000);
        await store.reap();
        const next = given(await store.claim({ seconds: 15 }));
        expect(next.job.talk).toEqual(talk(1));
        expect(await store.ask(lease, talk(2))).toBe("stale");
        expect(await store.ask(next.lease, talk(3))).toBe("ok");
        await store.settle(next.lease, ok);
        expect(await store.ask(next.lease, talk(4))).toBe("ended");
        expect(await store.get(id)).not.toHaveProperty("talk");
        expect(await store.ask({ ...lease, id: urn("none") }, talk(0))).toBe("unknown");
      });

      promise("are answered by anybody: in order, told to the holder, and not after the end", async () => {
        const { store, lease, id } = await running();
        const told: string[] = [];
        closing.push(store.watch(id, (change) => told.push(change)));
        expect(await store.answer(id, [reply("a", "yes\n\u0000")])).toBe("ok");
        await expect.poll(() => told).toContain("answers");
        expect(await store.answer(id, [reply("b", "no"), reply("a", "no")])).toBe("ok");
        expect((await store.get(id))?.replies).toEqual([reply("a", "yes\n\u0000"), reply("b", "no"), reply("a", "no")]);
        await store.settle(lease, ok);
        expect(await store.get(id)).not.toHaveProperty("replies");
        expect(await store.answer(id, [reply("a", "yes")])).toBe("ended");
        expect(await store.answer(urn("none"), [reply("a", "yes")])).toBe("unknown");
      });

      promise("have a limit for all answers together", async () => {
        const { store, id } = await running();
        const long = reply("a", "x".repeat(600_000));
        expect(await store.answer(id, [long])).toBe("ok");
        expect(await store.answer(id, [long])).toBe("full");
        expect(await store.answer(id, [reply("b", "yes")])).toBe("ok");
        expect((await store.get(id))?.replies).toHaveLength(2);
      });
    });

    describe("news", () => {
      type Told = (what: string) => Promise<unknown>;

      /** Collects the news of a job and of tools, and waits for one of them. */
      function collected(store: JobStore, id: JobUrn): { readonly told: string[]; readonly tells: Told } {
        const told: string[] = [];
        closing.push(store.watch(id, (change) => told.push(change)));
        closing.push(store.ready((tools) => told.push(`ready ${tools?.join(" ") ?? "any"}`)));
        return { told, tells: (what) => expect.poll(() => told).toContain(what) };
      }

      promise("whoever watches a job is told of its events and its end", async () => {
        const { store, lease, id } = await running();
        const { tells } = collected(store, id);
        await store.progress(lease, [event(1)]);
        await tells("events");
        await store.settle(lease, ok);
        await tells("ended");
      });

      promise("cancelled or lost for good, a job has ended", async () => {
        for (const end of [
          (store: JobStore, id: JobUrn) => store.cancel(id, "why"),
          async (store: JobStore, _: JobUrn, clock: VirtualClock) => {
            clock.advance(15_000);
            await store.reap();
          },
        ]) {
          const { store, id, clock } = await running({ maxAttempts: 1 });
          const { told } = collected(store, id);
          await end(store, id, clock);
          // A store may tell of a whole round at once.
          await expect.poll(() => told.some((one) => one === "ended" || one === "unknown")).toBe(true);
        }
      });

      promise("a tool is ready when a job of it waits: submitted, released or put back", async () => {
        const { store, clock } = await fresh();
        const { told } = collected(store, urn("b"));
        const ready = async (step: () => unknown): Promise<void> => {
          told.splice(0);
          await step();
          const isTold = (): boolean => told.some((one) => /^ready (?:any|.*\bone\b)/.test(one));
          await expect.poll(isTold).toBe(true);
        };
        await ready(() => store.submit(newJob("b")));
        const { lease } = given(await store.claim({ seconds: 15 }));
        await ready(() => store.release(lease, 0));
        await store.claim({ seconds: 15 });
        clock.advance(15_000);
        await ready(() => store.reap());
      });

      promise(
        "who has stopped hears nothing more; a job that was submitted with its lease makes no tool ready",
        async () => {
          const { store } = await fresh();
          const told: string[] = [];
          store.watch(urn("a"), () => told.push("stopped"))();
          store.ready(() => told.push("stopped"))();
          const { tells } = collected(store, urn("a"));
          const answer = await store.submit(newJob("own", { tool: "own" }), 15);
          closing.push(store.ready((tools) => told.push(...(tools ?? []))));
          await store.submit(newJob("a"));
          const { lease } = given(await store.claim({ seconds: 15 }));
          await store.settle(lease, ok);
          await tells("ended");
          expect([answer.kind, told.filter((one) => one !== "one")]).toEqual(["created", []]);
        },
      );
    });

    describe("cancel (invariant 7)", () => {
      promise("ends a job that waits, is delayed or runs; no result is recorded afterwards", async () => {
        const { store, lease, id } = await running();
        const cancelled = { state: "cancelled", error: { kind: "cancelled", message: "why" } };
        expect(await store.cancel(id, "why")).toBe("ok");
        expect(await store.settle(lease, ok)).toBe("ended");
        expect(await store.progress(lease, [event(1)])).toBe("ended");
        expect(await store.get(id)).toMatchObject({ state: "cancelled", outcome: cancelled, events: [] });
        await store.submit(newJob("b"));
        await store.release(given(await store.claim({ seconds: 15 })).lease, 10);
        expect(await store.cancel(urn("b"), "why")).toBe("ok");
        await store.submit(newJob("c"));
        expect(await store.cancel(urn("c"), "why")).toBe("ok");
        expect(await store.claim({ seconds: 15 })).toBeUndefined();
        expect(await store.cancel(urn("c"), "again")).toBe("ended");
        expect(await store.cancel(urn("nobody"), "why")).toBe("unknown");
      });
    });

    describe("reap", () => {
      promise(
        "invariant 4: a job that kills its workers is run maxAttempts times, then ends as interrupted",
        async () => {
          const { store, clock } = await fresh();
          await store.submit(newJob("a", { maxAttempts: 3 }));
          for (let attempt = 1; attempt <= 3; attempt++) {
            expect(given(await store.claim({ seconds: 15 })).lease.attempt).toBe(attempt);
            clock.advance(15_000);
            await store.reap();
          }
          expect(await store.claim({ seconds: 15 })).toBeUndefined();
          expect(await store.get(urn("a"))).toMatchObject({
            state: "error",
            attempt: 3,
            outcome: { state: "error", error: interruptedError },
          });
        },
      );

      promise("leaves what runs and what waits alone, however long", async () => {
        const { store, clock } = await fresh({ maxFinished: 1 });
        await store.submit(newJob("a", { ttl: 1 }));
        await store.submit(newJob("b", { ttl: 1 }));
        const { lease } = given(await store.claim({ seconds: 1_000_000 }));
        clock.advance(900_000_000);
        await store.reap();
        expect(await store.get(urn("a"))).toMatchObject({ state: "executing" });
        expect(await store.get(urn("b"))).toMatchObject({ state: "pending" });
        expect(await store.settle(lease, ok)).toBe("ok");
      });
    });

    describe("time and number", () => {
      promise("a finished job can be asked for until its TTL has passed, from its end", async () => {
        const { store, lease, id, clock } = await running({ ttl: 60 });
        clock.advance(3_600_000);
        await store.settle(lease, ok);
        clock.advance(59_999);
        await store.reap();
        expect(await store.get(id)).toMatchObject({ state: "succeeded" });
        clock.advance(1);
        expect(await store.get(id)).toBeUndefined();
        await store.reap();
        expect(await store.get(id)).toBeUndefined();
        expect(await store.settle(lease, ok)).toBe("unknown");
        expect(await store.cancel(id, "late")).toBe("unknown");
      });

      promise("an interrupted job expires like any other", async () => {
        const { store, id, clock } = await running({ ttl: 60, maxAttempts: 1 });
        clock.advance(15_000);
        await store.reap();
        clock.advance(59_999);
        expect(await store.get(id)).toMatchObject({ state: "error" });
        clock.advance(1);
        expect(await store.get(id)).toBeUndefined();
        expect(await store.submit(newJob("a"))).toEqual({ kind: "created" });
      });

      promise("finished jobs are bounded, the oldest go first; a running job is never evicted", async () => {
        const { store } = await fresh({ maxFinished: 3 });
        await store.submit(newJob("runs"));
        await store.claim({ seconds: 15, id: urn("runs") });
        for (let index = 0; index < 10; index++) {
          await store.submit(newJob(`j${index}`));
          await store.settle(given(await store.claim({ seconds: 15, id: urn(`j${index}`) })).lease, ok);
        }
        const records = await Promise.all(Array.from({ length: 10 }, (_, index) => store.get(urn(`j${index}`))));
        expect(records.map((record) => record?.state)).toEqual([
          ...Array(7).fill(undefined),
          ...Array(3).fill("succeeded"),
        ]);
        expect(await store.get(urn("runs"))).toMatchObject({ state: "executing" });
      });

      for (const found of ["submitted again", "reaped"]) {
        promise(`finished jobs that have expired leave their room to others (${found})`, async () => {
          const { store, clock } = await fresh({ maxFinished: 3 });
          const finish = async (name: string, ttl: number): Promise<void> => {
            await store.submit(newJob(name, { ttl }));
            await store.settle(given(await store.claim({ seconds: 15, id: urn(name) })).lease, ok);
          };
          await finish("short", 60);
          await finish("long", 3600);
          clock.advance(60_000);
          if (found === "submitted again") expect(await store.submit(newJob("short"))).toEqual({ kind: "created" });
          else await store.reap();
          for (const name of ["b", "c"]) await finish(name, 3600);
          expect(await store.get(urn("long"))).toMatchObject({ state: "succeeded" });
          await finish("d", 3600);
          expect(await store.get(urn("long"))).toBeUndefined();
          expect(await store.get(urn("b"))).toMatchObject({ state: "succeeded" });
        });
      }

      promise("a tool with a number of its own keeps its jobs, whatever others finish, and no more", async () => {
        const perTool = new Map([
          ["rare", 2],
          ["busy", 1],
        ]);
        const { store } = await fresh({ maxFinished: 3, perTool });
        const finish = async (name: string, tool: string): Promise<void> => {
          await store.submit(newJob(name, { tool }));
          await store.settle(given(await store.claim({ seconds: 15, id: urn(name) })).lease, ok);
        };
        for (const name of ["r0", "r1", "r2"]) await finish(name, "rare");
        for (let index = 0; index < 5; index++) {
          await finish(`b${index}`, "busy");
          await finish(`o${index}`, index % 2 === 0 ? "one" : "other");
        }
        await store.submit(newJob("c0", { tool: "rare" }));
        await store.cancel(urn("c0"), "enough");
        const names = ["r0", "r1", "r2", "c0", ...[0, 1, 2, 3, 4].flatMap((index) => [`b${index}`, `o${index}`])];
        const kept = await Promise.all(
          names.map(async (name) => ((await store.get(urn(name))) === undefined ? [] : [name])),
        );
        expect(kept.flat()).toEqual(["r2", "c0", "o2", "o3", "b4", "o4"]);
      });

      promise("a key is forgotten with its job", async () => {
        const { store } = await fresh({ maxFinished: 1 });
        for (const [name, idempotency] of [
          ["a", { key: "k", digest: "d1" }],
          ["b", undefined],
        ] as const) {
          await store.submit(newJob(name, idempotency === undefined ? {} : { idempotency }));
          await store.settle(given(await store.claim({ seconds: 15 })).lease, ok);
        }
        expect(await store.get(urn("a"))).toBeUndefined();
        expect(await store.submit(newJob("c", { idempotency: { key: "k", digest: "d2" } }))).toEqual({
          kind: "created",
        });
      });
    });

    describe.runIf(durable)("restart", () => {
      async function restarted(): Promise<{ before: JobStore; reopen: () => Promise<JobStore>; clock: VirtualClock }> {
        const { store, at, clock } = await fresh();
        return {
          before: store,
          clock,
          reopen: async () => {
            await store.close();
            const after = await at.open({ now: clock.now });
            closing.push(() => after.close());
            return after;
          },
        };
      }

      promise("finished jobs still answer, with events and keys", async () => {
        const { before, reopen } = await restarted();
        await before.submit(newJob("a", { idempotency: { key: "k", digest: "d" }, owner: "anna" }));
        const { lease } = given(await before.claim({ seconds: 15 }));
        await before.progress(lease, [event(1)]);
        await before.settle(lease, ok);
        const record = await before.get(urn("a"));
        const after = await reopen();
        expect(await after.get(urn("a"))).toEqual(record);
        const again = newJob("b", { idempotency: { key: "k", digest: "d" }, owner: "anna" });
        expect(await after.submit(again)).toEqual({ kind: "existing", record });
      });

      promise("waiting jobs wait, in their order; delays and leases go on", async () => {
        const { before, reopen, clock } = await restarted();
        for (const name of ["a", "b", "c", "d"]) await before.submit(newJob(name, { tool: name }));
        const held = given(await before.claim({ seconds: 15 }));
        await before.release(given(await before.claim({ seconds: 15 })).lease, 10);
        const after = await reopen();
        expect(await after.get(urn("a"))).toMatchObject({ state: "executing", attempt: 1 });
        expect(await after.renew(held.lease, 15)).toBe("ok");
        expect(given(await after.claim({ seconds: 15 })).job.id).toBe(urn("c"));
        clock.advance(10_000);
        expect(given(await after.claim({ seconds: 15 })).job.id).toBe(urn("b"));
        expect(await after.settle(held.lease, ok)).toBe("ok");
      });

      promise("a job that a limit has let in is passed by none that comes later", async () => {
        const { before, reopen } = await restarted();
        const of = (key: string): Partial<NewJob> => ({ limit: { key, jobs: 1, retryAfter: 1 } });
        for (let n = 0; n < 10; n++) await before.submit(newJob(`a${n}`, of("a")));
        for (let n = 0; n < 8; n++) await before.settle(given(await before.claim({ seconds: 15 })).lease, ok);
        const after = await reopen();
        for (const key of ["b", "c"]) await after.submit(newJob(key, of(key)));
        await after.submit(newJob("d"));
        const claims = [];
        for (let n = 0; n < 4; n++) claims.push(given(await after.claim({ seconds: 15 })).job.id);
        expect(claims).toEqual(["a8", "b", "c", "d"].map(urn));
      });

      promise("what was called and not awaited before close is kept", async () => {
        const { before, reopen } = await restarted();
        const submitted = [before.submit(newJob("a")), before.submit(newJob("b"))];
        const after = await reopen();
        expect(await Promise.all(submitted)).toEqual([{ kind: "created" }, { kind: "created" }]);
        expect(await after.get(urn("b"))).toMatchObject({ state: "pending" });
      });
    });

    promise("the model: random calls are answered as the rules say", async () => {
      const details = await checkModel({
        tolerated,
        ...(modelRuns !== undefined && { runs: modelRuns }),
        open: async (now) => {
          const at = place();
          const world = {
            store: await at.open({ now }),
            restart: durable
              ? async (): Promise<JobStore> => {
                  await world.store.close();
                  return at.open({ now });
                }
              : undefined,
            close: async (): Promise<void> => {
              await world.store.close();
              at.remove?.();
            },
          };
          return world;
        },
      });
      console.log(`${name}: ${details.numRuns} sequences, seed ${details.seed}`);
      expect(modelFailure(details)).toBeUndefined();
    });
  });
}

function never(): never {
  throw new Error("the job is gone");
}
