import { expect, test } from "vitest";
import { OrderedBatches } from "../../../../../../runtime/executor/store/postgres/ordered-batches.ts";
import type { Verb } from "../../../../../../runtime/executor/store/postgres/ordered-batches.ts";

/** Statements in their order, each with the jobs of its calls. */
let statements: string[];

function verb(key: string, more: Partial<Verb<string, string>> = {}): Verb<string, string> {
  return {
    key,
    touches: (job) => [job],
    async run(jobs) {
      statements.push(`${key} ${jobs.join(" ")}`);
      return jobs;
    },
    ...more,
  };
}

const submit = verb("submit");
const settle = verb("settle");
const claim = verb("claim", { touches: () => [], isOpen: () => true, passes: ["settle"] });
const reap = verb("reap", { touches: () => [], isOpen: () => true });

/** The statements that calls make which come in one turn of the event loop. */
async function statementsOf(calls: readonly (readonly [Verb<string, string>, string])[]): Promise<readonly string[]> {
  statements = [];
  const batches = new OrderedBatches({ toError: (error) => error, isGeneral: () => false });
  await Promise.all(calls.map(([one, job]) => batches.call(one, job)));
  return statements;
}

test("calls of one verb share a statement, unless a call between them is about the same job", async () => {
  const apart = [
    [submit, "a"],
    [settle, "x"],
    [submit, "b"],
  ] as const;
  expect(await statementsOf(apart)).toEqual(["submit a b", "settle x"]);
  const related = [
    [submit, "a"],
    [settle, "b"],
    [submit, "b"],
  ] as const;
  expect(await statementsOf(related)).toEqual(["submit a", "settle b", "submit b"]);
});

test("a call that may be about any job keeps its place, but for verbs that it has nothing to do with", async () => {
  const passing = [
    [claim, "1"],
    [settle, "x"],
    [claim, "2"],
    [settle, "y"],
  ] as const;
  expect(await statementsOf(passing)).toEqual(["claim 1 2", "settle x y"]);
  const ordered = [
    [claim, "1"],
    [submit, "a"],
    [claim, "2"],
    [reap, "-"],
    [settle, "x"],
  ] as const;
  expect(await statementsOf(ordered)).toEqual(["claim 1", "submit a", "claim 2", "reap -", "settle x"]);
});
