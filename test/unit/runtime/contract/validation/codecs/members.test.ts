import { expect, test } from "vitest";
import {
  decodeMembers,
  encodeMembers,
  remember,
  type Member,
  type Memory,
} from "../../../../../../runtime/contract/validation/codecs/members.ts";

interface Node {
  readonly next?: unknown;
}

const depth = 200;
const chain = Array.from({ length: depth }).reduce<Node>((next) => ({ next }), {});

/** The functions that the plugin makes for `type Node = One | Other`, both with `next?: Node`. */
function recursiveUnion(turn: "decode" | "encode"): {
  readonly calls: () => number;
  readonly run: (v: unknown) => unknown;
} {
  const memory: Memory = {};
  let calls = 0;
  const once = (compute: (value: unknown) => unknown) => (value: unknown) => remember(memory, compute, value);
  const nextOf = (value: unknown): unknown => (value as Node).next;
  const isOne = (value: unknown): boolean => (calls++, nextOf(value) === undefined || isEither(nextOf(value)));
  const isOther = (value: unknown): boolean => (calls++, nextOf(value) === undefined || isEither(nextOf(value)));
  const isOneOnce = once(isOne);
  const isOtherOnce = once(isOther);
  const isEither = (value: unknown): boolean => isOneOnce(value) === true || isOtherOnce(value) === true;
  const convert = (value: unknown): unknown => {
    calls++;
    return nextOf(value) === undefined ? {} : { next: convertEitherOnce(nextOf(value)) };
  };
  const members: readonly Member[] = [
    [isOne, convert],
    [isOther, convert],
  ];
  const convertEither = (value: unknown): unknown =>
    turn === "decode" ? decodeMembers(value, members) : encodeMembers(value, members);
  const convertEitherOnce = once(convertEither);
  return { calls: () => calls, run: convertEitherOnce };
}

test.each(["decode", "encode"] as const)("to %s a recursive union costs the same at each level", (turn) => {
  const { calls, run } = recursiveUnion(turn);
  expect(run(chain)).toEqual(chain);
  expect(calls()).toBeLessThan(10 * depth);
});

test("what is remembered ends with the outermost call", () => {
  const memory: Memory = {};
  let calls = 0;
  const count = (): number => ++calls;
  const value = {};
  expect(remember(memory, () => [remember(memory, count, value), remember(memory, count, value)], {})).toEqual([1, 1]);
  expect(remember(memory, count, value)).toBe(2);
  expect(() =>
    remember(
      memory,
      () => {
        throw new Error("refused");
      },
      {},
    ),
  ).toThrow("refused");
  expect(memory.seen).toBeUndefined();
});
