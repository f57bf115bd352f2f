import { expect, test } from "vitest";
import { keysBefore, writeHistory, writeTimes } from "../../../../../runtime/job/steps/job-history.ts";
import { jobTries, type StoredStep } from "../../../../../runtime/job/steps/kept-step.ts";

function step(key: string, startedAt: number, endedAt: number): StoredStep {
  return { key, state: "done", attempt: 1, tries: 0, fingerprint: "", startedAt, endedAt };
}

test("a run from a step on has the results of earlier steps, without those of the same millisecond", () => {
  const steps = [step("charge", 1, 1), step("alpha", 2, 2), step("ship[1]", 2, 2), step("mail", 3, 3)];
  expect(keysBefore({ steps, messages: [] }, "ship")).toEqual(["charge"]);
  expect(keysBefore({ steps, messages: [] }, "mail")).toEqual(["charge", "alpha", "ship[1]"]);
  expect(keysBefore({ steps, messages: [] }, "charge")).toEqual([]);
});

test("a step that ran beside the first one of a new run runs again", () => {
  const steps = [step("before", 1, 2), step("beside", 2, 9), step("from", 3, 4), step("behind", 5, 6)];
  expect(keysBefore({ steps, messages: [] }, "from")).toEqual(["before"]);
});

test("a history has results by key, failures, the first message of a name, and steps in their order", async () => {
  const failed: StoredStep = {
    ...step("ship", 30, 40),
    state: "failed",
    tries: 2,
    error: { kind: "system", message: "lost" },
  };
  const stored: StoredStep = { ...step("charge[1]", 10, 20), value: '{"a":[1]}' };
  const steps = [failed, stored, { ...step("odd", 20, 25), value: "{" }, step("none", 26, 27), step(jobTries, 1, 1)];
  const messages = [
    { name: "go", key: "", body: '"first"', at: 1 },
    { name: "go", key: "", body: '"second"', at: 2 },
  ];
  const history = JSON.parse(String(await writeHistory({ steps, messages } as never, true))) as object;
  expect(history).toMatchObject({
    kept: { "charge[1]": { a: [1] }, odd: "{", none: null },
    failed: { ship: { kind: "system", message: "lost" } },
    messages: { go: "first" },
    steps: [
      { step: "charge[1]", state: "done", attempt: 1, tries: 0, started: "1970-01-01T00:00:00.010Z" },
      { step: "odd" },
      { step: "none" },
      { step: "ship", state: "failed", tries: 2, ended: "1970-01-01T00:00:00.040Z" },
    ],
  });
  expect(JSON.parse(String(await writeHistory({ steps: [], messages: [] }, true)))).toEqual({
    kept: {},
    failed: {},
    messages: {},
    steps: [],
  });
});

test("times of a history have the ends of waits and the beginnings of messages, and no results", () => {
  const wait: StoredStep = { key: "~wait:go", state: "running", attempt: 1, tries: 0, fingerprint: "", startedAt: 30 };
  const steps = [
    { ...wait, left: 5000 },
    { ...step("charge", 10, 20), value: "1" },
  ];
  const long = JSON.stringify("x".repeat(400));
  const times = JSON.parse(
    String(writeTimes({ steps, messages: [{ name: "go", body: long, sentAt: 40, sender: "ann" }] }, false)),
  ) as object;
  expect(times).toEqual({
    steps: [
      { step: "charge", state: "done", attempt: 1, tries: 0, started: expect.any(String), ended: expect.any(String) },
      expect.objectContaining({ step: "~wait:go", state: "running", until: expect.any(String) }),
    ],
    sent: [{ message: "go", sent: "1970-01-01T00:00:00.040Z", begins: expect.stringMatching(/^"x{298}…?/) }],
  });
  expect(JSON.stringify(times)).not.toMatch(/ann|x{300}/);
});

test("of an ended job, sleeps and waits that lost a race are not needed any more, and have no end", async () => {
  const open = { state: "running", attempt: 1, tries: 0, fingerprint: "", startedAt: 30, left: 5000 } as const;
  const steps = ["~wait:go", "~sleep:1", "charge"].map((key): StoredStep => ({ ...open, key }));
  const states = (text: Buffer): unknown => (JSON.parse(String(text)) as { steps: unknown }).steps;
  const ended = [{ state: "unneeded" }, { state: "unneeded" }, { state: "running" }];
  expect(states(await writeHistory({ steps, messages: [] }, true))).toMatchObject(ended);
  const times = writeTimes({ steps, messages: [] }, true);
  expect(states(times)).toMatchObject(ended);
  expect(String(times)).not.toContain("until");
  expect(states(writeTimes({ steps, messages: [] }, false))).toMatchObject(steps.map(({ state }) => ({ state })));
});

test("others have turns while a history of megabytes is written", async () => {
  const value = JSON.stringify(Array.from({ length: 120_000 }, (_, index) => index));
  const steps = Array.from({ length: 12 }, (_, index) => ({ ...step(`s${index}`, index, index), value }));
  let turns = 0;
  const count = setInterval(() => turns++, 0);
  const written = await writeHistory({ steps, messages: [] }, true);
  clearInterval(count);
  expect(written.byteLength).toBeGreaterThan(8_000_000);
  expect(turns).toBeGreaterThan(1);
});
