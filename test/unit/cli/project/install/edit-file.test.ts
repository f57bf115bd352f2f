import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "jsonc-parser";
import { describe, expect, onTestFinished, test } from "vitest";
import { CommandError } from "../../../../../cli/base/usage.ts";
import { editText, readFile, replaceFile } from "../../../../../cli/project/install/edit-file.ts";
import type { FileEdit } from "../../../../../cli/project/install/host.ts";

const edit = (at: string, entry: FileEdit["entry"], more: Partial<FileEdit> = {}): FileEdit => ({
  file: "settings",
  at: [at],
  name: "primes",
  entry,
  ...more,
});

describe("json", () => {
  const text = `{
    // Of the editor.
    "theme": "dark",
    "servers": {
        "other": { "command": "x" }, // stays
    },
}
`;

  test("an entry comes in, changes, and goes, and everything else stays", async () => {
    const added = await editText("json", text, edit("servers", { command: "node" }));
    expect(added).toContain('// Of the editor.\n    "theme": "dark"');
    expect(added).toContain('"other": { "command": "x" }');
    expect(added).toContain("// stays");
    expect(added).toMatch(/"primes": \{\s+"command": "node"\s+\}/);
    const changed = await editText("json", added, edit("servers", { command: "deno" }));
    expect(changed).toBe(added.replace('"node"', '"deno"'));
    expect(await editText("json", changed, edit("servers", { command: "deno" }))).toBe(changed);
    const removed = await editText("json", changed, edit("servers", undefined));
    expect(removed).not.toContain("primes");
    expect(removed).toContain('"other": { "command": "x" }');
  });

  test("an empty file, and one without the entry", async () => {
    const made = await editText("json", "", edit("servers", { command: "node" }));
    expect(JSON.parse(made)).toEqual({ servers: { primes: { command: "node" } } });
    expect(await editText("json", text, edit("servers", undefined))).toBe(text);
    expect(await editText("json", text, edit("elsewhere", undefined))).toBe(text);
  });

  test("questions are added once", async () => {
    const inputs = [{ id: "TOKEN" }];
    const made = await editText("json", '{"inputs": [{"id": "OLD"}]}', edit("servers", { url: "x" }, { inputs }));
    expect(JSON.parse(made)).toMatchObject({ inputs: [{ id: "OLD" }, { id: "TOKEN" }] });
    expect(await editText("json", made, edit("servers", { url: "x" }, { inputs }))).toBe(made);
  });

  test.each(["{", "[]", '{"a": }'])("%s is refused with its place", async (broken) => {
    const editing = editText("json", broken, edit("servers", { command: "node" }));
    await expect(editing).rejects.toThrow(/^settings:1 cannot be read .*--print/);
    await expect(editing).rejects.toBeInstanceOf(CommandError);
  });
});

describe("yaml", () => {
  const text = "# Of goose.\nextensions:\n  other:\n    enabled: true # stays\nGOOSE_MODEL: m\n";

  test("an entry comes in and goes, and everything else stays", async () => {
    const added = await editText("yaml", text, edit("extensions", { cmd: "node", args: ["a"] }));
    expect(added).toBe(text.replace("# stays\n", "# stays\n  primes:\n    cmd: node\n    args:\n      - a\n"));
    expect(await editText("yaml", added, edit("extensions", undefined))).toBe(text);
    expect(await editText("yaml", text, edit("extensions", undefined))).toBe(text);
    expect(await editText("yaml", "", edit("extensions", { cmd: "node" }))).toBe(
      "extensions:\n  primes:\n    cmd: node\n",
    );
  });

  test("a broken file is refused with its line", async () => {
    await expect(editText("yaml", "a: 1\n b: [", edit("extensions", { cmd: "x" }))).rejects.toThrow(
      /^settings:\d cannot/,
    );
  });
});

describe("toml", () => {
  const text = 'model = "m" # stays\n\n[mcp_servers.other]\ncommand = "x"\n\n[tui]\ntheme = "dark"\n';
  const entry = { command: "node", args: ["a"], env: { LEVEL: "2" } };
  const tables = '[mcp_servers.primes]\ncommand = "node"\nargs = [ "a" ]\n\n[mcp_servers.primes.env]\nLEVEL = "2"\n';

  test("tables come in, change, and go, and everything else stays", async () => {
    const added = await editText("toml", text, edit("mcp_servers", entry));
    expect(added).toBe(`${text}\n${tables}`);
    const changed = await editText("toml", added, edit("mcp_servers", { url: "u" }));
    expect(changed).toBe(`${text}\n[mcp_servers.primes]\nurl = "u"\n`);
    expect((await editText("toml", added, edit("mcp_servers", undefined))).trimEnd()).toBe(text.trimEnd());
    expect(await editText("toml", "", edit("mcp_servers", entry))).toBe(tables);
  });

  test("another way to write it is refused and not broken", async () => {
    for (const written of ['mcp_servers = { primes = { command = "y" } }\n', '[mcp_servers]\nprimes.command = "y"\n'])
      await expect(editText("toml", written, edit("mcp_servers", entry))).rejects.toThrow(CommandError);
    await expect(editText("toml", "a = \n", edit("mcp_servers", entry))).rejects.toThrow(/^settings:1 cannot be read/);
  });
});

test("a file is replaced in one step; its mode and a link to it stay", () => {
  const folder = mkdtempSync(join(tmpdir(), "tenon-install-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "real.json");
  const link = join(folder, "link.json");
  writeFileSync(file, "old");
  chmodSync(file, 0o640);
  symlinkSync(file, link);
  replaceFile(link, "new", "old");
  expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual(["new", 0o640]);
  const made = join(folder, "a/b.json");
  replaceFile(made, "text", "");
  expect([readFileSync(made, "utf8"), statSync(made).mode & 0o777]).toEqual(["text", 0o600]);
});

describe("files that hosts did not mean for this", () => {
  const settings = { file: "settings", at: ["servers"], name: "primes", entry: { command: "node" } };

  test.each([
    ["json", '{"servers": [1]}'],
    ["json", '{"servers": []}'],
    ["json", '{"servers": "keep"}'],
    ["json", '{"servers": {}, "servers": {"a": {}}}'],
    ["json", '{"servers": {"primes": {}, "primes": {}}}'],
    ["json", `{"a": ${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
    ["yaml", "text"],
    ["yaml", "- a\n"],
    ["yaml", "servers: text\n"],
    ["yaml", "servers:\n  - a\n"],
    ["yaml", "base: &b {q: 1}\nservers: *b\n"],
    ["toml", 'x = """\n[servers.primes]\nkeep = 1\n"""\n'],
    ["toml", "servers = []\n"],
    ["toml", "servers = 7\n"],
  ] as const)("%s: %.60s is refused, and nothing of it replaced", async (format, text) => {
    await expect(editText(format, text, settings)).rejects.toThrow(CommandError);
  });

  test("inputs of another form are refused", async () => {
    const edit = { ...settings, inputs: [{ id: "TOKEN" }] };
    await expect(editText("json", '{"inputs": "keep"}', edit)).rejects.toThrow('"inputs" is not a list');
  });

  test("what is empty is filled, comments and a byte order mark stay", async () => {
    expect(parse(await editText("json", '{"servers": null}', settings))).toEqual({
      servers: { primes: settings.entry },
    });
    expect(await editText("yaml", "servers:\n", settings)).toContain("servers:\n  primes:\n    command: node");
    expect(await editText("json", '{"servers": {/* mine */}}', settings)).toContain("{/* mine */");
    expect(await editText("json", '\uFEFF{"servers": {}}', settings)).toMatch(/^\uFEFF\{"servers": \{\n/);
  });

  function place(): string {
    const folder = mkdtempSync(join(tmpdir(), "tenon-install-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return join(folder, "settings.json");
  }

  test("a file that its host wrote meanwhile is left alone", () => {
    const file = place();
    writeFileSync(file, '{"by": "host"}');
    expect(() => replaceFile(file, "new", '{"by": "nobody"}')).toThrow(/changed by another program meanwhile/);
    expect(readFileSync(file, "utf8")).toBe('{"by": "host"}');
  });

  test("a file that is not text is refused", () => {
    const file = place();
    writeFileSync(file, Buffer.from([0x7b, 0xff, 0x7d]));
    expect(() => readFile(file)).toThrow(/is not UTF-8/);
    rmSync(file);
    symlinkSync(`${file}.gone`, file);
    expect(() => readFile(file)).toThrow(/cannot be read \(ENOENT\)/);
    rmSync(file);
    symlinkSync(file, file);
    expect(() => readFile(file)).toThrow(/cannot be read \(ELOOP\)/);
    expect(() => readFile(tmpdir())).toThrow(/is not a file/);
    expect(() => readFile(join(process.execPath, "a"))).toThrow(CommandError);
  });

  test.runIf(process.getuid?.() === 0)("the owner stays", () => {
    const file = place();
    writeFileSync(file, "old");
    chownSync(file, 1234, 1234);
    replaceFile(file, "new", "old");
    expect([statSync(file).uid, readFileSync(file, "utf8")]).toEqual([1234, "new"]);
  });
});
