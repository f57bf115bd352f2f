import { assert, property, uint8Array, array, nat } from "fast-check";
import { expect, test } from "vitest";
import { ByteGatherer } from "../../../../runtime/base/byte-gatherer.ts";

test("what comes out is what went in, however it was cut and whatever length was declared", () => {
  assert(
    property(array(uint8Array({ maxLength: 200_000 }), { maxLength: 12 }), nat(1_500_000), (chunks, declared) => {
      const bytes = new ByteGatherer(declared);
      for (const chunk of chunks) bytes.add(chunk);
      expect(bytes.whole().equals(Buffer.concat(chunks))).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test("a chunk may be written over once it was added", () => {
  const chunk = Buffer.from("ab");
  const bytes = new ByteGatherer();
  bytes.add(chunk);
  chunk.fill(0);
  expect(bytes.whole().toString()).toBe("ab");
});
