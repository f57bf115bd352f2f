import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const script = resolve("scripts/build/name-repository.ts");

/** Runs the script in a new repository with this `origin`; tells what it says and what package.json is then. */
function publish(origin?: string, fields: object = {}, env: NodeJS.ProcessEnv = {}) {
  const cwd = temporaryFolder({ "package.json": JSON.stringify({ name: "tenon", ...fields }) });
  const git = (...words: readonly string[]) => spawnSync("git", words, { cwd });
  git("init");
  if (origin !== undefined) git("remote", "add", "origin", origin);
  const { GITHUB_SERVER_URL: _server, GITHUB_REPOSITORY: _repository, ...others } = process.env;
  const ran = spawnSync(process.execPath, [script], { cwd, encoding: "utf8", env: { ...others, ...env } });
  const manifest = JSON.parse(readFileSync(join(cwd, "package.json"), "utf8")) as object;
  return { status: ran.status, text: `${ran.stdout}${ran.stderr}`, manifest };
}

const ofOrigin = {
  name: "tenon",
  homepage: "https://forge.example/owner/name#readme",
  bugs: { url: "https://forge.example/owner/name/issues" },
  repository: { type: "git", url: "git+https://forge.example/owner/name.git" },
};

test.each([
  "https://forge.example/owner/name",
  "https://forge.example/owner/name.git",
  "https://someone:secret@forge.example/owner/name.git",
  "git@forge.example:owner/name.git",
  "ssh://git@forge.example:2222/owner/name.git/",
])("a package that is published from %s names its page", (origin) => {
  expect(publish(origin)).toMatchObject({ status: 0, manifest: ofOrigin });
});

test("the repository of the workflow stands before origin, and groups are kept", () => {
  const env = { GITHUB_SERVER_URL: "https://github.com", GITHUB_REPOSITORY: "somebody/tenon" };
  expect(publish("git@forge.example:owner/name.git", {}, env).manifest).toMatchObject({
    repository: { url: "git+https://github.com/somebody/tenon.git" },
  });
  expect(publish("https://forge.example/group/part/name").manifest).toMatchObject({
    repository: { url: "git+https://forge.example/group/part/name.git" },
  });
});

test("fields that stand in package.json stay", () => {
  const fields = { homepage: "https://tenon.example" };
  expect(publish("git@forge.example:owner/name.git", fields).manifest).toEqual({ ...ofOrigin, ...fields });
  const all = { ...ofOrigin, repository: "github:owner/name" };
  expect(publish(undefined, all)).toEqual({ status: 0, text: "", manifest: all });
});

test.each([
  undefined,
  "/srv/git/tenon.git",
  "git@work:owner/name.git",
  "http://forge.example/owner/name",
  "https://127.0.0.1/o/n",
])("nothing is published from %s, and one line tells what to do", (origin) => {
  const { status, text, manifest } = publish(origin);
  expect([status, manifest]).toEqual([1, { name: "tenon" }]);
  expect(text).toMatch(/^[^\n]*repository is unknown: run `git remote add origin [^\n]*\n$/);
});

test("npm runs it before it packs", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  expect(scripts["prepublishOnly"]).toBe("node scripts/build/name-repository.ts");
});
