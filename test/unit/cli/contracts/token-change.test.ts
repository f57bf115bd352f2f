import { expect, test } from "vitest";
import type { Contract } from "../../../../cli/contracts/contract.ts";
import { tokenChange, tokenText } from "../../../../cli/contracts/token-change.ts";

function contractOf(description: string): Contract {
  return { name: "a", version: "1.0.0", tools: [{ name: "half", description, annotations: {} }] };
}

test("more words are more tokens", () => {
  const change = tokenChange(contractOf("Halves."), contractOf(`Halves a number. ${"Rounds it. ".repeat(20)}`));
  expect(change).toEqual({ before: 16, after: 80 });
  expect(tokenText({ before: 16, after: 80 })).toBe("+ 64 tokens");
});

test("fewer have a minus, and none no text", () => {
  expect(tokenText({ before: 80, after: 16 })).toBe("− 64 tokens");
  expect(tokenText({ before: 80, after: 80 })).toBeUndefined();
});

test("a brief contract does not tell what models read", () => {
  expect(tokenChange({ ...contractOf("Halves."), isBrief: true }, contractOf("Halves."))).toBeUndefined();
});
