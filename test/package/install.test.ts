import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hosts } from "../../cli/project/install/hosts.ts";
import { bareEnv } from "../support/bare-env.ts";

const program = resolve("dist/cli/main.js");
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon-install-"));
  mkdirSync(join(folder, "src"));
  mkdirSync(join(folder, "dist"));
  writeFileSync(join(folder, "package.json"), '{"name": "@ada/primes", "type": "module"}');
  writeFileSync(join(folder, "src/service.ts"), "");
  writeFileSync(join(folder, "dist/service.mjs"), "");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function install(...words: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [program, "install", ...words], {
    cwd: folder,
    env: { ...bareEnv(), HOME: join(folder, "home"), APPDATA: join(folder, "home") },
    encoding: "utf8",
    input: "",
  });
}

interface Told {
  readonly file: string;
  readonly entry: { readonly command?: string; readonly args?: readonly string[] } | null;
  readonly changes: boolean;
}

test.each(Object.keys(hosts))("%s: installed, up to date, removed", (host) => {
  const first = install(host, "--json", "--yes");
  expect(first).toMatchObject({ status: 0 });
  const { file, entry, changes } = JSON.parse(first.stdout) as Told;
  expect(changes).toBe(true);
  expect(JSON.stringify(entry)).toContain(JSON.stringify(join(folder, "dist/service.mjs")));
  expect(readFileSync(file, "utf8")).toContain("primes");
  expect(install(host, "--yes").stderr).toContain("is up to date");
  expect(install(host, "--remove", "--yes")).toMatchObject({ status: 0 });
  expect(readFileSync(file, "utf8")).not.toContain("primes");
  expect(install(host, "--remove", "--yes").stderr).toContain("does not have primes");
});

test("the change is shown, and nothing is written without a yes", () => {
  const shown = install("cursor", "--scope", "project");
  expect(shown).toMatchObject({ status: 1 });
  expect(shown.stderr).toMatch(/\+ +"primes": \{[^]*Nothing was written\. Add --yes/);
  expect(() => readFileSync(join(folder, ".cursor/mcp.json"))).toThrow("ENOENT");
  const printed = install("cursor", "--scope", "project", "--print");
  expect(JSON.parse(printed.stdout)).toHaveProperty(["mcpServers", "primes", "command"]);
  expect(() => readFileSync(join(folder, ".cursor/mcp.json"))).toThrow("ENOENT");
});

test.each<[string, readonly string[], RegExp]>([
  ["no host", [], /Name a host: claude-code, /],
  ["another host", ["emacs"], /Name a host: claude-code, /],
  ["not built", ["cursor", "-o", "out"], /There is no out\/service\.mjs\. Build the service first/],
  ["not an address", ["cursor", "--url", "tools"], /is not an http address/],
  ["a token in place of a name", ["cursor", "--url", "http://a/mcp", "--token-env", "sk-1"], /the name of a variable/],
  ["a scope that the host lacks", ["codex", "--scope", "project"], /--scope of Codex: user/],
  ["a name with spaces", ["cursor", "--name", "my primes"], /is not a valid name of a server/],
  ["values for a service elsewhere", ["cursor", "--url", "http://a/mcp", "--env", "A=1"], /without --url/],
])("%s: one line that says what to do", (_, words, text) => {
  const { status, stderr } = install(...words);
  expect([status === 0, stderr.match(text) !== null, /\n {4}at /.test(stderr)]).toEqual([false, true, false]);
});

test("a file that cannot be read is named with its line, and kept", () => {
  const file = join(folder, ".mcp.json");
  writeFileSync(file, '{\n  "mcpServers": {,\n}\n');
  const { status, stderr } = install("claude-code", "--yes");
  expect([status, stderr]).toEqual([1, expect.stringMatching(/\.mcp\.json:2 cannot be read/)]);
  expect(readFileSync(file, "utf8")).toContain("{,");
});
