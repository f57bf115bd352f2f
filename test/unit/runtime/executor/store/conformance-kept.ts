import { describe, expect } from "vitest";
import { type StepWrite, maxKeptBytes } from "../../../../../runtime/job/steps/kept-step.ts";
import type { JobUrn } from "../../../../../runtime/job/job.ts";
import type { Claim, JobStore, Lease, StoredEvent } from "../../../../../runtime/executor/store/job-store.ts";
import { hasDeadLetters } from "../../../../../runtime/executor/store/dead-letters.ts";
import type { VirtualClock } from "./store-model.ts";

interface Running {
  readonly store: JobStore;
  readonly clock: VirtualClock;
  readonly lease: Lease;
  readonly id: JobUrn;
}

const message = "This build of the tool cannot read the kept result of step a: /at: expected date-time.";
const outdated = { state: "error", error: { kind: "outdated", message } } as const;
const cancelled = { state: "cancelled", error: { kind: "cancelled", message: "No more." } } as const;
const done = { state: "succeeded", result: { kind: "json", json: "1" } } as const;

function step(key: string, more: Partial<StepWrite> = {}): StepWrite {
  return { key, state: "done", tries: 0, fingerprint: "f", value: '{"a":"\\u0000"}', ...more };
}

function event(sequence: number, text: string): StoredEvent {
  return { sequence, body: { text } };
}

function given(claim: Claim | undefined): Claim {
  if (claim === undefined) throw new Error("the store gave no claim");
  return claim;
}

/** Promises of what jobs keep by name, and are sent: fenced, woken by time or message, and gone with their job. */
export function describeKept(
  running: () => Promise<Running>,
  promise: (title: string, body: () => Promise<void>) => void,
): void {
  const keysOf = async (store: JobStore, id: JobUrn): Promise<string[]> =>
    (await store.recall(id)).steps.map(({ key, state }) => `${key} ${state}`).toSorted();

  describe("kept steps", () => {
    promise("are recalled as they were written, the last state of each, also after the job's end", async () => {
      const { store, lease, id } = await running();
      expect(await store.recall(id)).toEqual({ steps: [], messages: [] });
      const error = { kind: "system", message: "broken \u0000", type: "TypeError" } as const;
      expect(await store.keep(lease, [step("a", { state: "running", tries: 1, error, delay: 5000 })])).toBe("ok");
      expect((await store.recall(id)).steps).toMatchObject([
        { key: "a", state: "running", attempt: 1, tries: 1, error, left: 5000 },
      ]);
      const { value: _, ...empty } = step("c[1]");
      expect(await store.keep(lease, [step("a", { tries: 2 }), step("b", { state: "failed", error }), empty])).toBe(
        "ok",
      );
      const { steps } = await store.recall(id);
      expect(steps.find(({ key }) => key === "a")).toMatchObject({ state: "done", tries: 2, value: '{"a":"\\u0000"}' });
      expect(steps.find(({ key }) => key === "a")).not.toHaveProperty("left");
      expect(steps.find(({ key }) => key === "c[1]")).not.toHaveProperty("value");
      expect(await store.settle(lease, done)).toBe("ok");
      expect(await keysOf(store, id)).toEqual(["a done", "b failed", "c[1] done"]);
    });

    promise("come with events, and events that are stored already stay as they are", async () => {
      const { store, lease, id } = await running();
      const write = (key: string, ...events: StoredEvent[]): Promise<unknown> =>
        Promise.all([store.progress(lease, events), store.keep(lease, [step(key)])]);
      expect(await write("a", event(1, 'a line\n"two"'), event(2, "two"))).toEqual(["ok", "ok"]);
      expect(await write("b", event(2, "again"), event(3, "three"))).toEqual(["ok", "ok"]);
      expect((await store.get(id))?.events).toEqual([event(1, 'a line\n"two"'), event(2, "two"), event(3, "three")]);
      expect(await keysOf(store, id)).toEqual(["a done", "b done"]);
    });

    promise("that a build refuses make the end a dead letter, which is put back or run again with them", async () => {
      const { store, clock, lease, id } = await running();
      await store.keep(lease, [step("a"), step("b")]);
      expect(await store.settle(lease, outdated)).toBe("ok");
      expect(await store.settle(lease, outdated)).toBe("ended");
      expect(await store.get(id)).toMatchObject({ state: "error", outcome: outdated });
      const as = "urn:platform:job:again";
      expect(await store.fork(id, as, ["a"])).toBe("ok");
      expect(await keysOf(store, as)).toEqual(["a done"]);
      if (!hasDeadLetters(store)) return;
      const letter = { id, tool: "one", attempt: 1, endedAt: clock.now(), error: outdated.error };
      expect(await store.deadLetters()).toEqual([letter]);
      expect(await store.redrive(id)).toBe("ok");
      expect(await store.deadLetters()).toEqual([]);
      const again = given(await store.claim({ seconds: 15, id }));
      expect([await keysOf(store, id), again.lease.attempt]).toEqual([["a done", "b done"], 1]);
      await store.settle(again.lease, done);
      expect(await store.deadLetters()).toEqual([]);
    });

    promise("are refused to a lease that was lost, and to a job that has ended", async () => {
      const { store, clock, lease, id } = await running();
      await store.keep(lease, [step("mine")]);
      clock.advance(16_000);
      await store.reap();
      expect(await store.keep(lease, [step("late")])).toBe("stale");
      expect(await store.park(lease, { waits: [], delay: 1000 })).toBe("stale");
      const next = given(await store.claim({ seconds: 15 }));
      expect(await store.keep(lease, [step("mine", { value: "2" })])).toBe("stale");
      expect(await store.keep({ ...next.lease, token: lease.token }, [step("mine", { value: "2" })])).toBe("stale");
      expect(await store.keep(next.lease, [step("next")])).toBe("ok");
      await store.settle(next.lease, done);
      expect(await store.keep(next.lease, [step("late")])).toBe("ended");
      expect(await store.park(next.lease, { waits: [] })).toBe("ended");
      expect(await store.keep({ ...lease, id: "urn:platform:job:nobody" }, [step("late")])).toBe("unknown");
      const { steps } = await store.recall(id);
      expect(steps.map(({ key, attempt, value }) => [key, attempt, value])).toEqual([
        ["mine", 1, '{"a":"\\u0000"}'],
        ["next", 2, '{"a":"\\u0000"}'],
      ]);
    });

    promise("are taken from the last attempt of a job that was cancelled, and from no other one", async () => {
      const { store, clock, lease, id } = await running();
      clock.advance(16_000);
      await store.reap();
      const next = given(await store.claim({ seconds: 15 }));
      await store.cancel(id, "No more.");
      expect(await store.keep(next.lease, [step("late")])).toBe("ended");
      expect(await store.keep(lease, [step("stale")])).toBe("ended");
      expect(await store.park(next.lease, { waits: [] })).toBe("ended");
      expect(await keysOf(store, id)).toEqual(["late done"]);
      expect((await store.get(id))?.state).toBe("cancelled");
    });

    promise("go into a new job with the request, even if the job was cancelled during its first step", async () => {
      const ends: ((one: Running) => unknown)[] = [
        ({ store, id }) => store.cancel(id, "No more."),
        // The process that runs the job ends it so.
        ({ store, lease }) => store.settle(lease, cancelled),
      ];
      for (const end of ends) {
        const one = await running();
        const { store, lease, id } = one;
        await end(one);
        const as: JobUrn = "urn:platform:job:forked";
        expect(await store.fork(id, as, [])).toBe("unknown");
        expect(await store.keep(lease, [step("late")])).toBe("ended");
        expect(await store.fork(id, as, ["late"])).toBe("ok");
        const { job } = given(await store.claim({ seconds: 15 }));
        expect(job).toMatchObject({ id: as, input: { n: 1 } });
        expect(await keysOf(store, as)).toEqual(["late done"]);
      }
    });

    promise("begin the count of lost attempts again", async () => {
      const { store, clock, lease, id } = await running();
      let held = lease;
      const lose = async (keep?: string): Promise<void> => {
        if (keep !== undefined) await store.keep(held, [step(keep)]);
        clock.advance(16_000);
        await store.reap();
        const claim = await store.claim({ seconds: 15 });
        if (claim !== undefined) held = claim.lease;
      };
      await lose();
      await lose("a");
      expect(held.attempt).toBe(3);
      await lose();
      await lose();
      expect(held.attempt).toBe(5);
      await lose();
      expect((await store.get(id))?.outcome).toMatchObject({ error: { kind: "interrupted" } });
    });

    promise("of a job with one attempt make it run again", async () => {
      const { store, clock, lease } = await running();
      await store.settle(lease, done);
      await store.submit({ id: "urn:platform:job:single", tool: "one", input: 1, ttl: 60, maxAttempts: 1 });
      const { lease: single } = given(await store.claim({ seconds: 15 }));
      await store.keep(single, [step("a")]);
      clock.advance(16_000);
      await store.reap();
      expect(given(await store.claim({ seconds: 15 })).job.id).toBe("urn:platform:job:single");
    });

    promise("go with a job's request into a new one that begins with some of them", async () => {
      const { store, lease, id } = await running();
      const as: JobUrn = "urn:platform:job:forked";
      await store.keep(lease, [step("a"), step("b", { value: "2" })]);
      await store.send(id, { name: "note", body: "1" });
      expect(await store.fork(id, as, ["a"])).toBe("unknown");
      await store.settle(lease, done);
      expect(await store.fork("urn:platform:job:nobody", as, [])).toBe("unknown");
      expect(await store.fork(id, as, ["a", "none"])).toBe("ok");
      expect(await store.fork(id, as, ["a"])).toBe("unknown");
      expect(given(await store.claim({ seconds: 15 })).job).toMatchObject({ id: as, maxAttempts: 3 });
      expect(await keysOf(store, as)).toEqual(["a done"]);
      // The new job has not been tried when it gets the step.
      expect(await store.recall(as)).toMatchObject({ steps: [{ attempt: 0 }], messages: [] });
      expect(await keysOf(store, id)).toEqual(["a done", "b done"]);
    });

    promise("are gone with their job", async () => {
      const { store, clock, lease, id } = await running();
      await store.keep(lease, [step("a")]);
      await store.send(id, { name: "m", body: "1" });
      await store.settle(lease, done);
      clock.advance(61_000);
      await store.reap();
      expect(await store.recall(id)).toEqual({ steps: [], messages: [] });
    });
  });

  describe("parked jobs", () => {
    promise("come back by time, and the attempt does not count", async () => {
      const { store, clock, lease, id } = await running();
      await store.keep(lease, [step("~sleep:1", { state: "running", delay: 90_000 })]);
      expect(await store.park(lease, { waits: [], delay: 90_000 })).toBe("ok");
      expect(await store.get(id)).toMatchObject({ state: "pending", attempt: 0, waiting: { waits: [] } });
      expect(await store.renew(lease, 15)).toBe("stale");
      clock.advance(89_000);
      await store.reap();
      expect(await store.claim({ seconds: 15 })).toBeUndefined();
      clock.advance(1000);
      await store.reap();
      const again = given(await store.claim({ seconds: 15 }));
      expect(again.lease.attempt).toBe(1);
      expect((await store.recall(id)).steps).toMatchObject([{ key: "~sleep:1", left: 0 }]);
      expect(await store.get(id)).not.toHaveProperty("waiting");
    });

    promise("come back by a message that they wait for, and by no other one", async () => {
      const { store, lease, id } = await running();
      const ready: unknown[] = [];
      const stop = store.ready((tools) => ready.push(tools));
      await store.park(lease, { waits: ["approval", "vote[1]"] });
      expect((await store.get(id))?.waiting).toEqual({ waits: ["approval", "vote[1]"] });
      expect(await store.send(id, { name: "vote", body: "0" })).toBe("ok");
      expect(await store.claim({ seconds: 15 })).toBeUndefined();
      expect(await store.send(id, { name: "vote[1]", body: '"\\u0000"', sender: "ann" })).toBe("ok");
      stop();
      const again = given(await store.claim({ seconds: 15 }));
      expect(again.lease.attempt).toBe(1);
      expect((await store.recall(id)).messages).toMatchObject([
        { name: "vote", body: "0" },
        { name: "vote[1]", body: '"\\u0000"', sender: "ann" },
      ]);
    });

    promise("do not leave for a message that is there already", async () => {
      const { store, lease, id } = await running();
      await store.send(id, { name: "approval", body: "1" });
      expect(await store.park(lease, { waits: ["approval"] })).toBe("ok");
      expect(given(await store.claim({ seconds: 15 })).job.id).toBe(id);
    });

    promise("are cancelled or woken, whichever comes first, where both come at once", async () => {
      for (const isFirst of [true, false]) {
        const { store, lease, id } = await running();
        await store.park(lease, { waits: ["go"] });
        const send = (): unknown => store.send(id, { name: "go", body: "1" });
        const cancel = (): unknown => store.cancel(id, "No more.");
        const answers = await Promise.all(isFirst ? [cancel(), send()] : [send(), cancel()]);
        expect(answers[isFirst ? 0 : 1]).toBe("ok");
        expect(["ok", "ended"]).toContain(answers[isFirst ? 1 : 0]);
        expect(await store.get(id)).toMatchObject({ state: "cancelled" });
        expect(await store.claim({ seconds: 15 })).toBeUndefined();
      }
    });

    promise("that are due together all come back", async () => {
      const { store, clock, lease } = await running();
      await store.park(lease, { waits: [], delay: 1000 });
      const ids = Array.from({ length: 600 }, (_, number): JobUrn => `urn:platform:job:many-${number}`);
      await Promise.all(
        ids.map(async (id) => {
          const answer = await store.submit({ id, tool: "one", input: {}, ttl: 60, maxAttempts: 3 }, 15);
          const own = answer.kind === "created" ? answer.lease : undefined;
          return store.park(own ?? lease, { waits: [], delay: 1000 });
        }),
      );
      clock.advance(1000);
      await store.reap();
      let count = 0;
      while ((await store.claim({ seconds: 15 })) !== undefined) count += 1;
      expect(count).toBe(601);
    });

    promise("are cancelled at once, and are not woken then", async () => {
      const { store, clock, lease, id } = await running();
      await store.park(lease, { waits: ["approval"], delay: 1000 });
      expect(await store.cancel(id, "No more.")).toBe("ok");
      clock.advance(2000);
      await store.reap();
      expect(await store.claim({ seconds: 15 })).toBeUndefined();
      expect(await store.send(id, { name: "approval", body: "1" })).toBe("ended");
    });
  });

  describe("messages", () => {
    promise("with one key of their sender are one", async () => {
      const { store, lease, id } = await running();
      const message = { name: "approval", body: "1", once: "k" };
      expect(await Promise.all([store.send(id, message), store.send(id, { ...message, body: "2" })])).toEqual([
        "ok",
        "known",
      ]);
      expect(await store.send(id, message)).toBe("known");
      expect((await store.recall(id)).messages).toHaveLength(1);
      expect((await store.recall(id, "messages")).messages).toEqual((await store.recall(id)).messages);
      await store.settle(lease, done);
      expect(await store.send(id, { ...message, once: "other" })).toBe("ended");
      expect(await store.send("urn:platform:job:nobody", message)).toBe("unknown");
    });

    promise("are refused when a job has too many", async () => {
      const { store, id } = await running();
      const body = JSON.stringify("x".repeat(maxKeptBytes / 4));
      for (let count = 0; count < 3; count++) expect(await store.send(id, { name: "m", body })).toBe("ok");
      expect(await store.send(id, { name: "m", body })).toBe("full");
    });

    promise("are told to whoever runs the job", async () => {
      const { store, id } = await running();
      const told = new Promise((resolve) => store.watch(id, resolve));
      await store.send(id, { name: "m", body: "1" });
      expect(await told).toBe("answers");
    });
  });
}
