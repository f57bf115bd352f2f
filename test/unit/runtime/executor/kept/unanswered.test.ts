import { expect, test } from "vitest";
import { unanswered } from "../../../../../runtime/executor/kept/unanswered.ts";
import type { Talk } from "../../../../../runtime/job/question.ts";

const [go, name] = [
  { method: "elicitation/create", params: { message: "Go?" } },
  { method: "elicitation/create", params: { message: "Name?" } },
] as const;
const talk: Talk = { capabilities: {}, asked: { go: "1", name: "2" }, answers: {}, open: { go, name }, seen: 1 };
const reply = (key: string, digest: string) => ({ key, digest, answer: { action: "accept" } });

test("a job that asks nobody has no questions", () => {
  expect([unanswered({}), unanswered({ talk: { ...talk, open: {} } })]).toEqual([undefined, undefined]);
});

test.each([
  ["none came", [], { go, name }],
  ["one came", [reply("odd", "0"), reply("go", "1")], { name }],
  ["both came", [reply("odd", "0"), reply("go", "1"), reply("name", "2")], undefined],
  ["one came to an earlier question of the key", [reply("odd", "0"), reply("go", "0")], { go, name }],
  ["one was read by the worker, which has asked again since", [reply("go", "1")], { go, name }],
])("open questions when of the answers %s", (_, replies, open) => {
  expect(unanswered({ talk, replies })).toEqual(open);
});
