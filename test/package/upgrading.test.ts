/** Definition, contract and store as docs/upgrading.md describes them. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PackedProject, packedProject, serve } from "../support/packed-project.ts";
import { primeFiles } from "../support/prime-project.ts";

const page = readFileSync("docs/upgrading.md", "utf8");

let user: PackedProject;
beforeAll(() => {
  user = packedProject({ ...primeFiles, ".gitignore": "node_modules/\ndist/\n" });
  expect(user.tenon("build")).toMatchObject({ status: 0 });
});
afterAll(() => user.dispose());

function git(...words: readonly string[]): void {
  const identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
  expect(spawnSync("git", [...identity, ...words], { cwd: user.root })).toMatchObject({ status: 0 });
}

test("a definition of another version fails the check until it is generated, and is no breaking change", () => {
  const { instructions, ...older } = JSON.parse(user.read("service.json")) as Readonly<Record<string, unknown>>;
  expect(instructions).toBeDefined();
  user.write({ "service.json": `${JSON.stringify(older, null, 2)}\n` });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "with the older version");
  expect(user.tenon("check")).toMatchObject({ status: 1 });
  for (const [, words = ""] of page.matchAll(/^npx tenon (generate|check --against HEAD)$/gm))
    expect(user.tenon(...words.split(" "))).toMatchObject({ status: 0 });
});

test("an older version does not start on a store of a newer one, and leaves it as it is", async () => {
  const file = join(user.root, "jobs.db");
  const env = { TENON_STORE: `sqlite:${file}` };
  await (await serve(join(user.root, "dist/service.mjs"), [], env)).stop();
  const formatOf = (): unknown => {
    using database = new DatabaseSync(file);
    return database.prepare("PRAGMA user_version").get();
  };
  const { user_version: known } = formatOf() as { readonly user_version: number };
  {
    using database = new DatabaseSync(file);
    database.exec(`PRAGMA user_version = ${known + 3}`);
  }
  const [, said = ""] = /^```text\n(.*?)\n```/ms.exec(page) ?? [];
  const expected = said
    .replace("jobs.db", file)
    .replace("is 12", `is ${known + 3}`)
    .replace("to 9", `to ${known}`);
  await expect(serve(join(user.root, "dist/service.mjs"), [], env)).rejects.toThrow(expected);
  expect(formatOf()).toMatchObject({ user_version: known + 3 });
});
