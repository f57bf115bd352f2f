import { expect, test } from "vitest";
import { anyOfThem, channelOf, hear, messageKinds } from "../../../../../../runtime/executor/store/postgres/channel.ts";
import { SharedNews } from "../../../../../../runtime/executor/store/postgres/shared-news.ts";
import type { JobUrn } from "../../../../../../runtime/job/job.ts";

/** Passes messages on, and returns what the listeners of two jobs, of tools and of notes heard. */
function heardOf(...payloads: readonly string[]): unknown[] {
  const news = new SharedNews();
  const heard: unknown[] = [];
  for (const key of ["a", "b"]) {
    const id: JobUrn = `urn:platform:job:${key}`;
    news.watch(id, (change) => heard.push([key, change]));
  }
  news.ready((tools) => heard.push(["tools", tools]));
  news.onNote((text) => heard.push(["note", text]));
  for (const payload of payloads) hear(payload, news);
  return heard;
}

test("a message reaches the listeners of its jobs or tools", () => {
  const { events, answers, ended, ready, note } = messageKinds;
  expect(heardOf(`${events}["a"]`, `${answers}["b"]`, `${ended}["a","b","c"]`)).toEqual([
    ["a", "events"],
    ["b", "answers"],
    ["a", "ended"],
    ["b", "ended"],
  ]);
  expect(heardOf(`${ready}["echo"]`, `${note}["text"] of a note`)).toEqual([
    ["tools", ["echo"]],
    ["note", '["text"] of a note'],
  ]);
});

test.each([anyOfThem, '"a"', "{", ""])("with the list %j any job or tool may be meant", (list) => {
  expect(heardOf(`${messageKinds.ended}${list}`, `${messageKinds.ready}${list}`)).toEqual([
    ["a", "unknown"],
    ["b", "unknown"],
    ["tools", undefined],
  ]);
});

test("messages of other kinds are ignored", () => {
  expect(heardOf('x["a"]', "")).toEqual([]);
});

test("each schema has a channel of its own, whose name PostgreSQL does not cut off", () => {
  const names = ["tenon", "x".repeat(63), "Ünïcode"].map(channelOf);
  expect(new Set(names).size).toBe(3);
  for (const name of names) expect(name).toMatch(/^tenon_[\da-f]{32}$/);
});
