import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { toolDefinition } from "../../../../plugin/emit/tool-definition.ts";
import { openProject } from "../../../support/open-project.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const options = { strict: true, module: "nodenext", target: "es2023", isolatedDeclarations: true, declaration: true };

/** An ESM package with `exports`, a CommonJS one, one of the workspace behind a link, and a referenced project. */
const files = {
  "node_modules/esm-types/package.json": JSON.stringify({
    name: "esm-types",
    type: "module",
    exports: { ".": { types: "./dist/index.d.ts" }, "./shapes": { import: { types: "./dist/shapes.d.ts" } } },
  }),
  "node_modules/esm-types/dist/index.d.ts": `
export interface Page<Item, Cursor = string> { items: Item[]; next?: Cursor; }
declare const brand: unique symbol;
export type UserId = string & { readonly [brand]: "user" };
export declare enum Color { Red = "red", Green = "green" }
export declare const enum Bits { One = 1, Two = 2 }
export interface Registry { known: boolean; }
export declare class Money { readonly amount: bigint; private secret; get text(): string; add(other: Money): Money; }
`,
  "node_modules/esm-types/dist/shapes.d.ts": `
import type { Page } from "./index.js";
/** @schema urn:esm:schema.shapes.1 */
export interface Shapes extends Page<{ kind: "circle" } | { kind: "square"; size: number }, Date> { at: Date; }
`,
  "node_modules/cjs-types/package.json": '{ "name": "cjs-types", "types": "index.d.ts" }',
  "node_modules/cjs-types/index.d.ts": `
declare namespace lib { interface Options { mode: Mode; } type Mode = "fast" | "exact"; enum Level { Low = 0 } }
declare function lib(options: lib.Options): lib.Level;
export = lib;
`,
  "packages/shared/package.json": '{ "name": "@scope/shared", "type": "module", "exports": "./src/index.ts" }',
  "packages/shared/src/index.ts": `
export interface Place { /** @minimum -90 */ latitude: number; tags: Set<string>; }
export type Patch<T> = { [K in keyof T]?: T[K] | null };
`,
  "core/tsconfig.json": JSON.stringify({ compilerOptions: { ...options, composite: true }, include: ["src"] }),
  "core/src/order.ts": `
export interface Order<T extends string> { id: T; placed: Date; lines: readonly { count: bigint }[]; }
export const kinds: readonly ["new", "old"] = ["new", "old"] as const;
`,
  "tsconfig.json": JSON.stringify({ compilerOptions: options, include: ["src"], references: [{ path: "./core" }] }),
  "package.json": '{ "name": "foreign", "type": "module" }',
  "src/tool.ts": `
import type { Bits, Color, Money, Page, Registry, UserId } from "esm-types";
import type { Shapes } from "esm-types/shapes";
import type lib from "cjs-types";
import type { Patch, Place } from "@scope/shared";
import type { kinds, Order } from "../core/src/order.ts";
declare module "esm-types" { interface Registry { extra: Date; } }
/** @schema urn:foreign:schema.request.1 */
interface Request {
  user: UserId; page: Page<Place, { after: Date }>; options: lib.Options; level: lib.Level; color: Color; bits: Bits;
  order: Order<"a" | "b">; kind: (typeof kinds)[number]; patch: Patch<Place>; registry: Registry; price: Money;
}
/** Takes types from elsewhere. @tool */
export function take(request: Request): Shapes { throw new Error(request.user); }
/** Names no schema. @tool */
export function price(): Page<Money, Color> { throw new Error(); }
`,
};

test("types of packages, of the workspace and of referenced projects are read like the author's own", () => {
  const root = temporaryFolder(files);
  mkdirSync(join(root, "node_modules/@scope"));
  symlinkSync("../../packages/shared", join(root, "node_modules/@scope/shared"), "junction");
  const file = join(root, "src/tool.ts");
  const project = openProject({ root, roots: [file], rules: { "missing-field-text": "off" } });
  onTestFinished(() => project.dispose());
  const { module, diagnostics } = project.read(file);
  expect(diagnostics.map(({ code, fix }) => [code, fix])).toEqual([
    // A request's `Money` has no `text` and no `add`.
    [
      "TN319",
      "write functions that take the data, or an interface for what callers send and make the object in the tool",
    ],
    [
      "TN201",
      'write `WithSchema<"urn:foreign:schema.page-money-color.1", Page<Money, Color>>`, with `import type { WithSchema } from "tenon"`',
    ],
  ]);
  const [take] = module.tools.map(toolDefinition);
  const date = { type: "string", format: "date-time" };
  const place = {
    type: "object",
    properties: {
      latitude: { type: "number", minimum: -90 },
      tags: { type: "array", items: { type: "string" }, uniqueItems: true },
    },
  };
  const bigint = expect.objectContaining({ type: "string", pattern: expect.any(String) as string }) as object;
  expect(take?.request?.schema).toMatchObject({
    properties: {
      user: { type: "string" },
      page: { $ref: "#/$defs/PagePlaceObject" },
      options: { $ref: "#/$defs/Options" },
      level: { const: 0 },
      color: { enum: ["red", "green"] },
      bits: { enum: [1, 2] },
      kind: { enum: ["new", "old"] },
    },
    $defs: { Place: { ...place, required: ["latitude", "tags"] } },
  });
  const definitions = JSON.stringify(take?.request?.schema["$defs"]);
  expect(take?.request?.schema["$defs"]).toMatchObject({
    Options: { properties: { mode: { enum: ["fast", "exact"] } } },
    Registry: { properties: { known: { type: "boolean" }, extra: date }, required: ["known", "extra"] },
    Money: { properties: { amount: bigint }, required: ["amount"] },
  });
  expect(definitions).not.toContain("secret");
  expect(take?.result).toMatchObject({
    urn: "urn:esm:schema.shapes.1",
    schema: { properties: { items: { type: "array" }, next: date, at: date }, required: ["$schema", "at", "items"] },
  });
});

test("an enum that a package declares without values has a fix that does not touch the package", () => {
  const root = temporaryFolder({
    "node_modules/levels/package.json": '{ "name": "levels", "types": "index.d.ts" }',
    "node_modules/levels/index.d.ts": "export declare enum Level { Low, High }",
    "tsconfig.json": JSON.stringify({ compilerOptions: options, include: ["src"] }),
    "package.json": '{ "name": "foreign", "type": "module" }',
    "src/tool.ts": `
import type { Level } from "levels";
/** Takes a level. @tool */
export function take(level: Level): void { throw new Error(String(level)); }
`,
  });
  const file = join(root, "src/tool.ts");
  const project = openProject({ root, roots: [file], rules: { "missing-field-text": "off" } });
  onTestFinished(() => project.dispose());
  expect(project.read(file).diagnostics).toMatchObject([
    {
      code: "TN301",
      fix: "its declaration has no values: write a union of its literals, such as `0 | 1`",
    },
  ]);
});
