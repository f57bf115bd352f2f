import { expect, test } from "vitest";
import { OrderedBatches, type Verb } from "../../../../../../runtime/executor/store/postgres/ordered-batches.ts";

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

/** A verb whose statements end when the test says so. */
function heldVerb(key: string, isParallel: boolean): Verb<string, string> & { end(): void } {
  const ends: (() => void)[] = [];
  return {
    ...verb(key, { isParallel }),
    async run(jobs) {
      statements.push(`${key} ${jobs.join(" ")}`);
      await new Promise<void>((resolve) => void ends.push(resolve));
      return jobs;
    },
    end: () => ends.shift()?.(),
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

test("a parallel verb has two statements at a time, each with half of the calls, for jobs that are in none", async () => {
  statements = [];
  const batches = new OrderedBatches({ toError: (error) => error, isGeneral: () => false });
  const write = heldVerb("write", true);
  const names = Array.from({ length: 30 }, (_, index) => `j${index}`);
  const calls = names.map((name) => batches.call(write, name));
  await turn();
  expect(statements).toEqual([`write ${names.slice(0, 15).join(" ")}`, `write ${names.slice(15).join(" ")}`]);
  // One job is in the first statement, the other one in none: both wait for a free one, and the first one for its job.
  calls.push(batches.call(write, "j0"), batches.call(write, "new"));
  await turn();
  expect(statements).toHaveLength(2);
  write.end();
  await turn();
  expect(statements.slice(2)).toEqual(["write j0 new"]);
  write.end();
  write.end();
  expect(await Promise.all(calls)).toEqual([...names, "j0", "new"]);
});

test("a parallel verb runs beside another one, but for the same job, and verbs that are not parallel run in order", async () => {
  statements = [];
  const batches = new OrderedBatches({ toError: (error) => error, isGeneral: () => false });
  const [write, first, second] = [heldVerb("write", true), heldVerb("first", false), heldVerb("second", false)];
  const calls = [batches.call(first, "a"), batches.call(second, "b"), batches.call(write, "c")];
  await turn();
  expect(statements).toEqual(["first a", "write c"]);
  first.end();
  await turn();
  expect(statements.slice(2)).toEqual(["second b"]);
  calls.push(batches.call(second, "c"));
  second.end();
  await turn();
  expect(statements).toHaveLength(3);
  write.end();
  await turn();
  expect(statements.slice(3)).toEqual(["second c"]);
  second.end();
  await Promise.all(calls);
  await batches.drained();
});

test("a call behind a statement without an answer ends with its patience, and is not carried out later", async () => {
  statements = [];
  const batches = new OrderedBatches({ toError: (error) => error, isGeneral: () => false });
  const write = heldVerb("write", false);
  const first = batches.call(write, "a");
  await turn();
  const late = batches.call(write, "a", 20);
  await expect(late).rejects.toThrow("Query read timeout");
  const other = batches.call(write, "b");
  write.end();
  await first;
  await turn();
  write.end();
  await other;
  expect(statements).toEqual(["write a", "write b"]);
  await batches.drained();
});
