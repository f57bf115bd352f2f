import { describe, expect, test } from "vitest";
import { lookForLostTags } from "./lost-tags.ts";

/** `npm run fuzz:types -- --tools 2000` looks longer; `FUZZ_SEED=1` looks again. */
const seed = Number(process.env["FUZZ_SEED"] ?? 20261122);

describe(`tags of types of every shape (seed ${seed})`, () => {
  test("each is in the schema, or a diagnostic names it, and the reader's sums agree", () => {
    const { tags, used, named, failures } = lookForLostTags(150, seed);
    expect(failures).toEqual([]);
    expect(used + named).toBe(tags);
    // A generator without tags, and a reader that refuses all, would prove nothing.
    expect(tags).toBeGreaterThan(250);
    expect(named).toBeLessThan(tags / 50);
  });
});
