import { expect, test } from "vitest";
import { withSharedChunk } from "../../../../../plugin/bundlers/hosts/shared-chunk.ts";
import { ownModule } from "../../../../../plugin/packages/own-module.ts";

const runtime = ownModule("tenon") ?? "";
const modules: Readonly<Record<string, readonly [atOnce: readonly string[], later?: readonly string[]]>> = {
  entry: [[runtime, "tool", "both"]],
  tool: [[], ["of-tool"]],
  [runtime]: [["both"], ["later", "names"]],
  later: [["both", "alone"]],
  names: [["both"]],
  "of-tool": [["tool"]],
  both: [[]],
  alone: [[]],
};
const api = {
  getModuleIds: () => Object.keys(modules).values(),
  getModuleInfo: (id: string) => {
    const [importedIds = [], dynamicallyImportedIds = []] = modules[id] ?? [];
    const code = id === "names" ? 'export { one } from "both";\n' : "run();\n";
    return { isEntry: id === "entry", code, importedIds, dynamicallyImportedIds } as never;
  },
};

const chunks = (options: Parameters<typeof withSharedChunk>[0]): Readonly<Record<string, unknown>> => {
  const { manualChunks } = withSharedChunk(options);
  if (typeof manualChunks !== "function") return { ...manualChunks };
  return Object.fromEntries(Object.keys(modules).map((id) => [id, manualChunks(id, api)]));
};

test("what the entry shares with chunks that tenon loads later is apart from both, and nothing else", () => {
  const named = Object.entries(chunks({})).filter(([, name]) => name !== undefined);
  expect(named).toEqual([
    ["names", "runtime"],
    ["both", "runtime"],
  ]);
});

test("an author's own choice comes first", () => {
  const chosen = (id: string): string | null => (id === "alone" ? "mine" : null);
  expect(chunks({ manualChunks: chosen })).toMatchObject({ alone: "mine", both: "runtime", later: undefined });
  expect(chunks({ manualChunks: () => "mine" })).toMatchObject({ both: "mine" });
  expect(chunks({ manualChunks: { vendor: ["both"] } })).toEqual({ vendor: ["both"] });
});

test("one file stays one file, and modules stay modules", () => {
  expect(withSharedChunk({ inlineDynamicImports: true })).toEqual({ inlineDynamicImports: true });
  expect(withSharedChunk({ preserveModules: true })).toEqual({ preserveModules: true });
});
