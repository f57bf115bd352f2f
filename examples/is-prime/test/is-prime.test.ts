import { callTool } from "tenon/testing";
import { describe, expect, it } from "vitest";
import { factorise } from "../src/factorise.ts";
import { isPrime } from "../src/is-prime.ts";

describe("isPrime", () => {
  it("answers with the number and the verdict, and reports one step", async () => {
    const { result, wire, steps } = await callTool(isPrime, { number: 997 });
    expect(result).toEqual({ number: 997, isPrime: true });
    expect(wire).toEqual({ $schema: "urn:example:schema.is-prime.1", ...result });
    expect(steps).toEqual([
      {
        name: "factorise",
        started: { message: "Checking 997" },
        progress: [],
        finished: { message: "997 is prime" },
      },
    ]);
  });

  it("says in the step why a number is not prime", async () => {
    const { result, steps } = await callTool(isPrime, { number: 999 });
    expect(result).toEqual({ number: 999, isPrime: false });
    expect(steps[0]?.finished).toEqual({ message: "999 is not prime: it is 3 × 3 × 3 × 37" });
  });

  it.each([-1, 0.5, 4_294_967_296])("refuses %d, which is no 32-bit number", async (number) => {
    await expect(callTool(isPrime, { number })).rejects.toMatchObject({
      kind: "validation",
      problems: [{ path: "/number" }],
    });
  });

  it("agrees with a sieve up to 100,000", async () => {
    const limit = 100_000;
    const composite = new Uint8Array(limit + 1).fill(1, 0, 2);
    for (let prime = 2; prime * prime <= limit; prime++) {
      if (composite[prime] === 1) continue;
      for (let multiple = prime * prime; multiple <= limit; multiple += prime) composite[multiple] = 1;
    }
    const wrong: number[] = [];
    for (let number = 0; number <= limit; number++) {
      if ((factorise(number).length === 1) !== (composite[number] === 0)) wrong.push(number);
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    [0, false],
    [1, false],
    [2, true],
    [65_537, true],
    [2_147_483_647, true],
    [4_294_836_225, false], // 65535²
    [4_294_049_777, false], // 65521 × 65537, the hardest kind: two factors next to the root
    [4_293_001_441, false], // 65521², the square of the largest 16-bit prime
    [3_215_031_751, false], // passes Miller–Rabin with the bases 2, 3, 5 and 7
    [4_294_967_291, true], // the largest 32-bit prime
    [4_294_967_295, false],
  ])("%i → %s", async (number, expected) => {
    expect((await callTool(isPrime, { number })).result).toEqual({ number, isPrime: expected });
  });

  it("multiplies back to the number it was given", () => {
    for (let number = 4_294_967_295; number > 4_294_966_295; number--) {
      expect(factorise(number).reduce((product, factor) => product * factor, 1)).toBe(number);
    }
  });

  it("stops when the job is cancelled", async () => {
    const signal = AbortSignal.abort(new Error("cancelled by the caller"));
    await expect(callTool(isPrime, { number: 4_294_967_291 }, { signal })).rejects.toThrow("cancelled by the caller");
  });
});
