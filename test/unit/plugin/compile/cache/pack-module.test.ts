import { join } from "node:path";
import { expect, test } from "vitest";
import { createFileStates as paths } from "../../../../../plugin/compile/cache/file-states.ts";
import {
  packModule,
  type PackedModule,
  type ReadModule,
  unpackModule,
} from "../../../../../plugin/compile/cache/pack-module.ts";
import { createCompiler } from "../../../../../plugin/compile/compile.ts";
import { temporaryFolder } from "../../../../support/temporary-folder.ts";

const text = `/** Says hello. @tool */
export function hello(): string {
  return "hello";
}
/** Says goodbye. @tool */
export const goodbye = (): string => "goodbye";
`;

function read({ head, code, body }: PackedModule): ReadModule {
  return { head: JSON.parse(JSON.stringify(head)), code, body: () => JSON.parse(JSON.stringify(body)) };
}

test("a packed module is text without anything twice, and unpacks to what it was, elsewhere too", async () => {
  const root = temporaryFolder({ "package.json": "{}", "tools.ts": text });
  const module = await createCompiler({ cache: false }, { rootFor: () => root }).compile(join(root, "tools.ts"), text);
  expect(module.tools).toHaveLength(2);
  const packed = packModule(module, paths(root));
  const all = [JSON.stringify(packed.head), String(packed.code), JSON.stringify(packed.body)].join("");
  const code = module.tools[0]?.code ?? "";
  expect(all.split(code)).toHaveLength(2);
  expect(all).not.toContain(JSON.stringify(code).slice(1, -1));
  expect(all).not.toContain(root);
  expect(unpackModule(read(packed), paths(root))).toEqual(module);
  expect(unpackModule(read(packed), paths("/moved")).file).toBe("/moved/tools.ts");
});

test("code that is inserted nowhere, as that of a module with errors, is kept itself", async () => {
  const root = temporaryFolder({ "package.json": "{}" });
  const wrong = `${text}/** Fails. @tool */\nexport function fails(_wrong: symbol): void {}\n`;
  const module = await createCompiler({ cache: false }, { rootFor: () => root }).compile(join(root, "t.ts"), wrong);
  expect(module.insertions).toEqual([]);
  expect(unpackModule(read(packModule(module, paths(root))), paths(root))).toEqual(module);
});

test("generated code keeps its characters beyond ASCII", () => {
  const insertions = ["é𝔸", "", "z\n"].map((text, offset) => ({ offset, text }));
  const module = { file: "/p/t.ts", model: { file: "t.ts", tools: [] }, tools: [], diagnostics: [], dependencies: [] };
  expect(unpackModule(read(packModule({ ...module, insertions }, paths("/p"))), paths("/p")).insertions).toEqual(
    insertions,
  );
});
