import { ts } from "ts-morph";
import { expect, test } from "vitest";
import { typedImports } from "../../../../../plugin/read/project/typed-imports.ts";

function typed(text: string): readonly string[] {
  return [...typedImports(ts.createSourceFile("file.ts", text, ts.ScriptTarget.ESNext))].toSorted();
}

const imports = 'import { a, type T } from "a";\nimport b from "b";\nimport * as c from "c";\n';

test.each<readonly [what: string, text: string, expected: readonly string[]]>([
  ["nothing that is only imported", "", []],
  ["types of a signature", "export function f(x: T): c.D { return 1; }", ["a", "c"]],
  ["not the body of a function that says its result", "export function f(): number { return a(b, c.d); }", []],
  ["the body of one that does not", "export function f() { return a(); }", ["a"]],
  ["functions in it alike", "const f = () => { const g = (): number => b(); return g() + a(); };", ["a"]],
  ["defaults of parameters", "export function f(x = a()): void {}", ["a"]],
  ["values without a type", "export const x = b;", ["b"]],
  ["not values with one", "export const x: T = b();", ["a"]],
  ["constants in a class of fields", "class D { x: T = [b]; readonly y: string = c.x; z: T = a(); }", ["a", "b", "c"]],
  ["not values in a class with methods", "class D { x: string = b; m(): void {} }", []],
  ["not calls in a class of fields", "class D { x: string = b(c); }", []],
  ["not what only runs", "a.use(b); if (a) { c.d(); } for (const x of b) a(x);", []],
  ["assignments to members, which declare", "function f(): void {}\nf.extra = a();", ["a"]],
  ["everything, where flow decides a type", "let x;\nx = a();\nb(x);", ["a", "b"]],
  [
    "methods and accessors by their own types",
    "class D { m(): T { return b(); } get g() { return c.x; } }",
    ["a", "c"],
  ],
  ["not constructors, but their parameters", "class D { constructor(readonly x: T) { b(); } }", ["a"]],
  ["constructors that decide a property's type", "class D { x; constructor() { this.x = b(); } }", ["b"]],
  ["bases of classes", "class D extends b { }", ["b"]],
  ["exports of imports", "export { a };", ["a"]],
  ["the port of a service", "await startLambdaServer(s, { port: a.port, host: b });", ["a"]],
  ["what a service says", "void start(new Service({ name: a }));", ["a"]],
])("follows %s", (_what, text, expected) => {
  expect(typed(`${imports}${text}`)).toEqual(expected);
});

test("imports without names, exports from, import types and augmentations are always followed", () => {
  const text = `import "one";
export * from "two";
export type { X } from "three";
type Y = import("four").Y;
import five = require("five");
declare module "six" { interface Z {} }
export const seven = import("seven");
`;
  expect(typed(text)).toEqual(["five", "four", "one", "seven", "six", "three", "two"]);
});

test("names that may be tenon's through a barrel, and types that a tool asks for, are followed", () => {
  expect(typed('import { Service as S } from "./barrel.js";\nmain(new S());')).toEqual(["./barrel.js"]);
  expect(typed('import * as t from "./barrel.js";\nmain(new t.Service());')).toEqual(["./barrel.js"]);
  const asking = 'import type { Form } from "./form.js";\nfunction f(job: J): void { job.ask<Form>("?"); }';
  expect(typed(asking)).toEqual(["./form.js"]);
});
