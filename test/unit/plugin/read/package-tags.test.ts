import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openProject } from "../../../support/open-project.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const files = {
  "package.json": '{ "name": "own", "type": "module" }',
  "tsconfig.json": '{ "compilerOptions": { "strict": true, "module": "nodenext", "target": "es2023" } }',
  "node_modules/settings/package.json": '{ "name": "settings", "types": "index.d.ts" }',
  "node_modules/settings/index.d.ts": `
export interface Settings {
  /** Looks. @default true */
  check: boolean;
  /** @defaultValue 'es5' @maxLength 6 */
  target?: string;
}
/** A percentage. @minimum 0 @maximum 100 @default 50 */
export type Percent = number;
/** Flattens a type, for editors. @title Helper */
export type Simplify<T> = { [K in keyof T]: T[K] } & {};
`,
  "src/tool.ts": `
import type { Percent, Settings, Simplify } from "settings";
interface Request {
  settings: Settings;
  percent: Percent;
  /** @default 10 */
  own: Percent;
  simple: Simplify<Settings>;
}
/** Takes settings. @tool */
export function take(request: Request): void { void request; }
`,
};

test("a package's tags narrow values and its defaults are not filled in, as they tell what its own code does", () => {
  const root = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const rules = { "missing-schema": "off", "missing-field-text": "off" } as const;
  const project = openProject({ root, rules });
  onTestFinished(() => project.dispose());
  const { module, diagnostics, tags } = project.read(join(root, "src/tool.ts"));
  expect(diagnostics).toEqual([]);
  const { definitions = {} } = module.tools[0] ?? {};
  expect(definitions["Settings"]).toMatchObject({
    fields: [
      { key: "check", type: { kind: "boolean" }, description: "Looks." },
      { key: "target", type: { kind: "string", maxLength: 6 }, optional: true },
    ],
  });
  expect(JSON.stringify(definitions["Settings"])).not.toMatch(/"default"/);
  const percent = { type: { kind: "number", minimum: 0, maximum: 100 }, description: "A percentage." };
  const fields = (definitions["Request"] as { readonly fields: readonly object[] }).fields;
  expect(fields[1]).toMatchObject({ key: "percent", ...percent });
  expect(fields[1]).not.toHaveProperty("default");
  expect(fields[2]).toMatchObject({ key: "own", ...percent, default: 10 });
  expect(fields[3]).not.toHaveProperty("title");
  for (const { met, used, refused } of tags) expect(used + refused).toBe(met);
});
