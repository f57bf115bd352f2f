import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { changesSince } from "../../../../../cli/contracts/against/committed-contract.ts";
import { repositoryPaths, showAtRef } from "../../../../../cli/contracts/against/git.ts";
import { loadReference } from "../../../../../cli/contracts/against/load-reference.ts";
import { watchContract } from "../../../../../cli/contracts/against/watch-contract.ts";
import { temporaryFolder, writeFiles } from "../../../../support/temporary-folder.ts";

const definition = (required: readonly string[]): string =>
  JSON.stringify({
    name: "Own",
    version: "1.0.0",
    tools: [
      {
        name: "half",
        description: "Halves.",
        annotations: {},
        "request-schema": {
          type: "object",
          properties: {
            n: { type: "number" },
            m: { type: "number" },
          },
          required,
        },
      },
    ],
  });
const [old, broken] = [definition(["n"]), definition(["n", "m"])];

/** A repository with one commit, in which a package below its root has the definition. */
function repository(): string {
  const root = temporaryFolder({ "package/service.json": old });
  const git = (...words: readonly string[]): void => {
    const env = { PATH: process.env["PATH"] ?? "", HOME: root };
    expect(spawnSync("git", words, { cwd: root, env, encoding: "utf8" })).toMatchObject({ status: 0 });
  };
  git("init", "--quiet");
  git("add", "-A");
  git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "-m", "One");
  return join(root, "package");
}

test("a file is read as it was at a ref, and a ref that does not exist is an error with what to do", async () => {
  const root = repository();
  const file = join(root, "service.json");
  writeFiles(root, { "service.json": broken });
  expect(showAtRef("HEAD", file)).toBe(old);
  expect(showAtRef("HEAD", join(root, "other.json"))).toBeUndefined();
  expect(() => showAtRef("--output=x", file)).toThrow("--output=x is not a git ref.");
  expect(() => showAtRef("gone", file)).toThrow(/^There is no git ref gone, and no such file\. A shallow clone/);
  const shown = repositoryPaths(root);
  expect([shown(join(root, "src/a.ts")), shown(join(root, "../b.ts"))]).toEqual(["package/src/a.ts", "b.ts"]);
  // The same by the name that a user gives.
  expect(await loadReference("HEAD", file)).toMatchObject({ name: "HEAD", contract: { name: "Own" } });
  expect(await loadReference("HEAD", join(root, "other.json"))).toEqual({
    name: "HEAD",
    absent: "There is no service definition at HEAD: everything is new.",
  });
  const watch = watchContract(root);
  expect(watch.begin(undefined)).toBeUndefined();
  expect(await watch.judge(old)).toBeUndefined();
  expect(watch.begin(file)).toEqual({ file, atStart: broken, root });
  expect(await watch.judge(broken)).toBe(
    "This breaks the committed contract: half request /m became required. `tenon check --against HEAD` tells all.",
  );
  // The same build, and another one that breaks nothing else, are no news.
  expect(await watch.judge(broken)).toBeUndefined();
  expect(await watch.judge(broken.replace("Halves.", "Cuts."))).toBeUndefined();
  expect(await watch.judge(old)).toBeUndefined();
  expect(await watch.judge(broken.replace('"number"', '"string"'))).toContain(", and 1 more. `tenon check");
  writeFiles(root, { "tenon.allow.json": "{}" });
  expect(await watch.judge(`${broken} `)).toMatch(/^tenon\.allow\.json cannot be used: it needs the key `allow`/);
});

test("a file is read if it exists, and other JSON than a definition is an error", async () => {
  const root = temporaryFolder({ "a.json": old, "b.json": "[]", "c/d": "" });
  expect(await loadReference(join(root, "a.json"), "")).toMatchObject({ contract: { version: "1.0.0" } });
  await expect(loadReference(join(root, "b.json"), "")).rejects.toThrow(
    `${join(root, "b.json")} cannot be compared: it is not a service definition: it has no \`tools\`.`,
  );
  await expect(loadReference(join(root, "c"), join(root, "a.json"))).rejects.toThrow(
    `${join(root, "c")} is not a file, and ${root} is not in a git repository, or git is not installed.`,
  );
  await expect(loadReference("npm:./a", "")).rejects.toThrow("npm:./a is not a package. Write npm:name@version.");
  const shown = repositoryPaths(root);
  expect(shown(join(process.cwd(), "src/a.ts"))).toBe("src/a.ts");
});

test("changes are those since the commit, and without a repository since the start", () => {
  const root = repository();
  const file = join(root, "service.json");
  const changes = changesSince({ file, atStart: undefined, root }, broken);
  expect(changes).toMatchObject({ against: "the commit HEAD", findings: [{ rule: "required-added", fails: true }] });
  writeFiles(root, {
    "tenon.allow.json": JSON.stringify({
      allow: [{ tool: "half", rule: "required-added", reason: "new", until: "9999-12-31" }],
    }),
  });
  expect(changesSince({ file, atStart: undefined, root }, broken)).toMatchObject({
    findings: [{ allowed: "new", fails: false }],
  });
  expect(changesSince({ file, atStart: undefined, root }, "{")).toEqual({
    against: null,
    findings: [],
    absent: "it is not JSON",
  });
  rmSync(join(root, "../.git"), { recursive: true });
  expect(changesSince({ file, atStart: old, root: temporaryFolder() }, old)).toEqual({
    against: "the file as it was when tenon dev began",
    findings: [],
  });
  expect(changesSince({ file, atStart: "{", root }, old).absent).toBe(`${file}: it is not JSON.`);
  expect(changesSince({ file, atStart: undefined, root }, old).absent).toBe(
    `${file} is not committed yet, and was not there when tenon dev began.`,
  );
});
