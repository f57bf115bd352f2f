import { expect, test } from "vitest";
import { mutated } from "./mutation.ts";
import { mutationsOf } from "./mutations.ts";

/** The texts that the mutations of a text make. */
function textsOf(code: string): readonly string[] {
  return mutationsOf("a.ts", code).map((mutation) => mutated(code, mutation));
}

test.each([
  ["x(a < b);", ["x(a <= b);", "x(a >= b);", ";"]],
  ["if (a) return b;", ["if (true) return b;", "if (false) return b;", "if (a) return;"]],
  ["if (a) return;", ["if (true) return;", "if (false) return;", "if (a) ;"]],
  ["return undefined;", []],
  ["x = a ?? b;", ["x = a;", "x = b;", ";"]],
  ["const x = a?.b;", ["const x = a.b;"]],
  ['const x = "a";', ['const x = "";']],
  ["const x = 1;", ["const x = 2;", "const x = 0;"]],
  ["const x = !a;", ["const x = a;"]],
  ["const x = /^a$/;", ["const x = /a$/;", "const x = /^a/;"]],
  ["const x = a.some(b);", ["const x = a.every(b);"]],
  ["const x = a.filter(b);", ["const x = a;"]],
  // Types, imports and names of properties say nothing that runs.
  ['import a from "a";\ntype A = "a";\nconst x: A = { "a": b };', []],
])("%j", (code, expected) => {
  expect(textsOf(code).toSorted()).toEqual(expected.toSorted());
});

test("a mutation says its line, before and after", () => {
  expect(mutationsOf("a.ts", "// One.\n  f(1);\n")).toMatchObject([
    { line: 2, before: "f(1);", after: ";", kind: "statement" },
    { line: 2, before: "f(1);", after: "f(2);", kind: "constant" },
    { line: 2, before: "f(1);", after: "f(0);", kind: "constant" },
  ]);
});
