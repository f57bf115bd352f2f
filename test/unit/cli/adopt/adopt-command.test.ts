import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { CommandError, UsageError } from "../../../../cli/base/usage.ts";
import { run } from "../../../../cli/commands/adopt.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const service = `import { FastMCP } from "fastmcp";
import { z } from "zod";
const server = new FastMCP({ name: "Notes", version: "1.0.0" });
server.addTool({
  name: "note",
  description: "Writes a note.",
  parameters: z.object({ text: z.string().refine((text) => text !== "") }),
  execute: async ({ text }) => text,
});
`;

let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder, "notes"));
  writeFileSync(join(folder, "notes/index.ts"), service);
});

/** Output of a run by stream. */
async function output(...words: readonly string[]): Promise<{ readonly out: string; readonly err: string }> {
  const texts = { out: "", err: "" };
  const out = vi.spyOn(process.stdout, "write").mockImplementation((text) => ((texts.out += String(text)), true));
  const err = vi.spyOn(process.stderr, "write").mockImplementation((text) => ((texts.err += String(text)), true));
  try {
    expect(await run(words)).toBe(0);
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
  return texts;
}

test("without --out it says what it would carry over, and writes nothing", async () => {
  const { out, err } = await output(join(folder, "notes"));
  expect(out).toBe("");
  expect(err).toContain('index.ts:7  note: z.string().refine((text) => text !== "")');
  expect(err).toContain("1 tool of FastMCP in 1 file");
  expect(err).toContain("Nothing was written");
  expect(err).not.toContain("\u001B[");
});

test("with --out it writes the entry, the tools and the report", async () => {
  const out = join(folder, "out");
  expect((await output(join(folder, "notes/index.ts"), "--out", out)).err).toContain("wrote");
  expect(readFileSync(join(out, "service.ts"), "utf8")).toContain('import "./index.js";');
  expect(readFileSync(join(out, "index.ts"), "utf8")).toContain("export async function note({ text }: NoteRequest)");
  expect(readFileSync(join(out, "adopt.md"), "utf8")).toContain("| note | `index.ts:4` |");
});

test("--json prints tools, lines that were not carried over, and files", async () => {
  const out = join(folder, "out");
  const report = JSON.parse((await output(join(folder, "notes"), "--json", "--out", out)).out) as object;
  expect(report).toMatchObject({
    tools: [{ name: "note", source: "fastmcp", file: "index.ts", line: 4 }],
    open: [
      { file: "index.ts", line: 7, tool: "note", reason: "a check by code" },
      { file: "index.ts", line: 8, tool: "note" },
    ],
    files: ["service.ts", "index.ts", "adopted-results.ts", "adopt.md"],
  });
});

test("a folder with files is left alone without --force", async () => {
  const out = join(folder, "out");
  mkdirSync(out);
  writeFileSync(join(out, "service.ts"), "mine");
  await expect(run([join(folder, "notes"), "--out", out])).rejects.toThrow(/has files already/);
  expect(readFileSync(join(out, "service.ts"), "utf8")).toBe("mine");
  await output(join(folder, "notes"), "--out", out, "--force");
  expect(readFileSync(join(out, "service.ts"), "utf8")).not.toBe("mine");
});

test("a mistake is one line", async () => {
  const mistakes: readonly (readonly [readonly string[], RegExp])[] = [
    [[join(folder, "nothing")], /There is no file or folder/],
    [[join(folder, "broken")], /^a\.ts:2 cannot be read: .* There are \d+ more errors\.$/],
    [[join(folder, "empty")], /has no tools that can be read, in 1 file\./],
    [[join(folder, "notes"), "--out", join(folder, "notes/index.ts")], /is not a folder/],
  ];
  for (const name of ["broken", "empty"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "broken/a.ts"), "const a = 1;\nserver.addTool({ name: ;\n}}");
  writeFileSync(join(folder, "empty/a.ts"), "export const a = 1;\n");
  for (const [words, message] of mistakes) {
    const error: unknown = await run(words).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(CommandError);
    expect((error as CommandError).message).toMatch(message);
  }
  await expect(run([])).rejects.toThrow(UsageError);
  await expect(run([join(folder, "notes"), "--force"])).rejects.toThrow(UsageError);
  expect(existsSync(join(folder, "adopted"))).toBe(false);
});
