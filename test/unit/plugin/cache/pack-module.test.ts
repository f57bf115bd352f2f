import { join } from "node:path";
import { expect, test } from "vitest";
import { packModule, unpackModule } from "../../../../plugin/cache/pack-module.ts";
import { createCompiler } from "../../../../plugin/compile.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const text = `/** Says hello. @tool */
export function hello(): string {
  return "hello";
}
/** Says goodbye. @tool */
export const goodbye = (): string => "goodbye";
`;

test("a packed module is plain JSON without anything twice, and unpacks to what it was, elsewhere too", async () => {
  const root = temporaryFolder({ "package.json": "{}", "tools.ts": text });
  const module = await createCompiler({ cache: false }, { rootFor: () => root }).compile(join(root, "tools.ts"), text);
  expect(module.tools).toHaveLength(2);
  const json = JSON.stringify(packModule(module, root));
  const code = JSON.stringify(module.tools[0]?.code).slice(1, -1);
  expect(json.split(code)).toHaveLength(2);
  expect(json).not.toContain(root);
  expect(unpackModule(JSON.parse(json), root)).toEqual(module);
  expect(unpackModule(JSON.parse(json), "/moved").file).toBe("/moved/tools.ts");
});

test("code that is inserted nowhere, as that of a module with errors, is kept itself", async () => {
  const root = temporaryFolder({ "package.json": "{}" });
  const wrong = `${text}/** Fails. @tool */\nexport function fails(_wrong: symbol): void {}\n`;
  const module = await createCompiler({ cache: false }, { rootFor: () => root }).compile(join(root, "t.ts"), wrong);
  expect(module.insertions).toEqual([]);
  expect(unpackModule(packModule(module, root), root)).toEqual(module);
});
