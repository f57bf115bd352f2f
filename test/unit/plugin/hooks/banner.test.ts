import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { composeBanner, entryMark, fetchStubBanner } from "../../../../plugin/hooks/banner.ts";
import { stdoutGuardBanner } from "../../../../runtime/base/process/stdout-guard.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

test("puts the guard of standard output first", () => {
  expect(composeBanner({}).startsWith(stdoutGuardBanner("flags"))).toBe(true);
  expect(composeBanner({ stdio: true }).startsWith(stdoutGuardBanner("always"))).toBe(true);
});

test("lets fetch ask the outbound hook, and says when http and https do", () => {
  const mark = 'globalThis[Symbol.for("tenon.outbound.builtins")]=true';
  expect(composeBanner({})).toContain(fetchStubBanner({ builtins: false }));
  expect(composeBanner({})).not.toContain(mark);
  expect(composeBanner({ builtins: true })).toContain(mark);
});

test("declares no name, so that a user's own banner may declare `require`", () => {
  const root = temporaryFolder({
    "chunk.mjs": `${composeBanner({ commonJsNames: true, entry: "module" })}
const require = "mine"; const __dirname = "mine"; console.log(require, __dirname, typeof globalThis.require, globalThis.__filename);`,
  });
  const file = join(root, "chunk.mjs");
  const { stdout, stderr } = spawnSync(process.execPath, [file], { encoding: "utf8" });
  expect({ stdout, stderr }).toEqual({ stdout: `mine mine function ${file}\n`, stderr: "" });
});

test("ends with the entry's mark", () => {
  expect(composeBanner({ entry: "module" }).endsWith(`\n${entryMark("module")}`)).toBe(true);
});

test("marks a CommonJS entry, and is passed over where there is no file", () => {
  const banner = composeBanner({ entry: "commonjs" });
  const root = temporaryFolder({
    "entry.cjs": `${banner}\nconsole.log(globalThis[Symbol.for("tenon.entry")]);`,
    "module.mjs": `${banner}\nconsole.log(globalThis[Symbol.for("tenon.entry")]);`,
  });
  const run = (file: string): string =>
    spawnSync(process.execPath, [join(root, file)], { encoding: "utf8" }).stdout.trim();
  expect([run("entry.cjs"), run("module.mjs")]).toEqual([pathToFileURL(join(root, "entry.cjs")).href, "undefined"]);
});
