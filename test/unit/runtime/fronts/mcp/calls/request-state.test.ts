import { expect, test } from "vitest";
import { callDigest, createStateCodec } from "../../../../../../runtime/fronts/mcp/calls/request-state.ts";

const state = { call: "c", job: "urn:platform:job:1", answers: { a: { action: "accept" } }, asked: { a: "digest" } };
const invalid = expect.objectContaining({ code: -32602, message: "Invalid or expired requestState" }) as Error;
const key = "0123456789abcdef0123456789abcdef";

test("what was sealed is opened again, also by another instance with the same key", () => {
  const sealed = createStateCodec(key).seal(state);
  expect(createStateCodec(key).open(sealed, "c")).toMatchObject(state);
});

test("without a key, only the same process opens it", () => {
  const codec = createStateCodec(undefined);
  expect(codec.open(codec.seal(state), "c")).toMatchObject(state);
  expect(() => createStateCodec(undefined).open(codec.seal(state), "c")).toThrow(invalid);
});

test("another call, a late answer and every changed character are refused", () => {
  let now = 0;
  const codec = createStateCodec(key, () => now);
  const sealed = codec.seal(state);
  expect(() => codec.open(sealed, "d")).toThrow(invalid);
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = `${sealed.slice(0, at)}${sealed[at] === "A" ? "B" : "A"}${sealed.slice(at + 1)}`;
    expect(() => codec.open(changed, "c")).toThrow(invalid);
  }
  for (const text of ["", ".", "a.b", `${sealed}-TAMPERED`, `${sealed}.x`, sealed.slice(0, -1), `${sealed}=`])
    expect(() => codec.open(text, "c")).toThrow(invalid);
  now = 3_600_000;
  expect(codec.open(sealed, "c")).toMatchObject(state);
  now = 3_600_001;
  expect(() => codec.open(sealed, "c")).toThrow(invalid);
});

test("a call is the same for any order of its arguments, and another one for anything else", () => {
  const digest = callDigest("tool", "t", { a: 1, b: { c: [1, 2], d: null } }, undefined);
  expect(callDigest("tool", "t", { b: { d: null, c: [1, 2] }, a: 1 }, undefined)).toBe(digest);
  const others = [
    callDigest("prompt", "t", { a: 1, b: { c: [1, 2], d: null } }, undefined),
    callDigest("tool", "u", { a: 1, b: { c: [1, 2], d: null } }, undefined),
    callDigest("tool", "t", { a: 1, b: { c: [2, 1], d: null } }, undefined),
    callDigest("tool", "t", { a: 1, b: { c: [1, 2], d: null } }, "someone"),
  ];
  expect(new Set([digest, ...others]).size).toBe(5);
});
