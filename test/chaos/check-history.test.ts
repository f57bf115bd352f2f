import { describe, expect, test } from "vitest";
import { checkHistory } from "./check-history.ts";
import type { Entry, Write } from "./history.ts";

const id = "urn:platform:job:a";

/** A job that one worker took, reported two events of, and ended. */
const good: readonly Entry[] = [
  { kind: "submitted", id, at: 1, events: 2 },
  { kind: "seen", id, at: 2, status: "pending", digest: "" },
  { kind: "granted", id, lease: "one", attempt: 1, at: 3 },
  written("event", "one", 4, 204),
  written("event", "one", 5, 204),
  written("renewal", "one", 6, 204),
  written("result", "one", 7, 204, "R"),
  { kind: "seen", id, at: 9, status: "succeeded", digest: "R", written: "R" },
  { kind: "again", id, same: true, status: 202, found: id },
  { kind: "again", id, same: false, status: 422, found: undefined },
  { kind: "seen", id, at: 20, status: "succeeded", digest: "R", written: "R" },
  { kind: "events", id, numbers: [1, 2], counts: [1, 2] },
];

function written(what: Write["what"], lease: string, at: number, status: number | undefined, digest = "R"): Write {
  return { kind: "write", what, id, lease, began: at, ended: at + 1, status, ...(what === "result" && { digest }) };
}

/** The history with other entries in place of those of a kind, or with some more. */
function but(change: {
  readonly without?: (entry: Entry) => boolean;
  readonly and?: readonly Entry[];
}): readonly Entry[] {
  const kept = good.filter((entry) => change.without?.(entry) !== true);
  return [...kept, ...(change.and ?? [])];
}

/** Texts of two events, and those that a reader was told. */
const texts = ['{"n":1}', '{"n":2}'];
const stored: Entry = {
  kind: "events",
  id,
  numbers: [1, 2],
  counts: [1, 2],
  runs: ["r", "r"],
  resultRun: "r",
  texts,
};
const followed = (...told: readonly (readonly [number, string])[]): Entry => ({ kind: "followed", id, events: told });
const isEvents = ({ kind }: Entry): boolean => kind === "events";

const isSeen = ({ kind }: Entry): boolean => kind === "seen";
const second: Entry = { kind: "granted", id, lease: "two", attempt: 2, at: 6.5 };

test("a history without a breach", () => {
  expect(checkHistory(good, 3)).toEqual([]);
});

test("a history of replicas without a breach", () => {
  const told = followed([1, '{"n":1}'], [2, '{"n":2}']);
  expect(checkHistory(but({ without: isEvents, and: [stored, told] }), 3)).toEqual([]);
});

test.each<[string, readonly Entry[], string]>([
  [
    "an end that the database saw change",
    but({ and: [{ kind: "altered", id, how: "changed" }] }),
    "5: it had ended, and was changed",
  ],
  [
    "a reader who was told another event of that number",
    but({ without: isEvents, and: [stored, followed([1, "other"], [2, '{"n":2}'])] }),
    '8: a reader was told event 1 as other, and it is {"n":1}',
  ],
  [
    "a reader who missed one",
    but({ without: isEvents, and: [stored, followed([2, '{"n":2}'])] }),
    "8: a reader was told the events 2 of 1 2",
  ],
  [
    "an event of a run that was over",
    but({ without: isEvents, and: [{ ...stored, numbers: [1, 2, 3], counts: [1, 1, 2], runs: ["r", "s", "r"] }] }),
    "3: run r reported an event after another run had begun",
  ],
  [
    "an event of a run that is missing",
    but({ without: isEvents, and: [{ ...stored, counts: [1, 3] }] }),
    "8: run r reported 2, and 3 is stored",
  ],
  [
    "the result of a run that was over",
    but({ without: isEvents, and: [{ ...stored, resultRun: "q" }] }),
    "3: the result is that of run q, and the last one is r",
  ],
  ["a job that nobody knows", but({ without: isSeen }), "1: it was acknowledged, and is unknown in the end"],
  [
    "a job without an end",
    but({ without: isSeen, and: [{ kind: "seen", id, at: 30, status: "executing", digest: "" }] }),
    "1: it was acknowledged, and is executing in the end",
  ],
  ["two results", but({ and: [written("result", "one", 10, 204, "R2")] }), "2: 2 results were stored"],
  [
    "a result of nobody",
    but({ without: ({ kind }) => kind === "write", and: [written("result", "one", 7, 204, "other")] }),
    "2: its result is none that a worker was told to be stored",
  ],
  [
    "a write of an attempt that is over",
    but({ and: [second] }),
    "3: a result of attempt 1 was taken (204) after attempt 2 began",
  ],
  [
    "too many attempts",
    but({
      and: ["b", "c", "d"].map((lease, n) => ({ kind: "granted", id, lease, attempt: n + 2, at: 30 + n }) as const),
    }),
    "4: 4 attempts, 3 are allowed",
  ],
  [
    "an end that changes",
    but({ and: [{ kind: "seen", id, at: 30, status: "succeeded", digest: "R2" }] }),
    "5: it was succeeded (R), and later succeeded (R2)",
  ],
  [
    "a key that makes a second job",
    but({ and: [{ kind: "again", id, same: true, status: 202, found: "urn:platform:job:b" }] }),
    "6: the same key with the same body was answered 202",
  ],
  [
    "a key that takes another body",
    but({ and: [{ kind: "again", id, same: false, status: 202, found: id }] }),
    "6: the same key with another body was answered 202",
  ],
  ["a result after a cancellation", but({ and: [{ kind: "cancelled", id, at: 5.5 }] }), "7: a result was taken"],
  [
    "a gap in the events",
    but({ without: ({ kind }) => kind === "events", and: [{ kind: "events", id, numbers: [1, 3], counts: [1, 2] }] }),
    "8: its events are numbered 1 3",
  ],
  [
    "an event that is lost",
    but({ without: ({ kind }) => kind === "events", and: [{ kind: "events", id, numbers: [1], counts: [1] }] }),
    "8: its last attempt reported 1 of 2 events",
  ],
])("%s is found", (_, history, breach) => {
  expect(checkHistory(history, 3).join("\n")).toContain(`${id}: ${breach}`);
});

describe("what is no breach", () => {
  test.each<[string, readonly Entry[]]>([
    [
      "a result whose answer was lost, and that was sent again",
      but({
        without: ({ kind }) => kind === "write",
        and: [written("result", "one", 7, undefined), written("result", "one", 8, 200)],
      }),
    ],
    [
      "writes of a lost attempt that are refused",
      but({ and: [second, written("result", "two", 30, 409, "R2")] })
        .filter((entry) => entry.kind !== "write" || entry.began < 6.5 || entry.status === 409)
        .concat(written("result", "one", 6, 204)),
    ],
    ["a write that was under way when a later attempt began", but({ and: [{ ...second, at: 7.5 }] })],
    [
      "attempts that were handed back",
      but({
        and: ["b", "c", "d"].flatMap((lease, n) => [
          { kind: "granted", id, lease, attempt: 1, at: 30 + n } as const,
          written("release", lease, 30.5 + n, 204),
        ]),
      }),
    ],
  ])("%s", (_, history) => {
    expect(checkHistory(history, 3)).toEqual([]);
  });
});
