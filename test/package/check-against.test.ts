import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bareEnv } from "../support/bare-env.ts";
import { type Finished, type PackedProject, packedProject, serve } from "../support/packed-project.ts";
import { tarOf } from "../support/tar.ts";

const source = `import { loggingInit, Service, startLambdaServer } from "tenon";
loggingInit();
/** @schema urn:example:schema.half.request.1 */
export interface HalfRequest {
  /** The number. */
  n: number;
  /** Manner. */
  mode?: "fast" | "exact";
}
/**
 * Halves a number.
 * @tool
 * @readonly
 */
export function half(request: HalfRequest): number {
  return request.n / 2;
}
/**
 * Reviews.
 * @prompt
 * @param language - Language.
 */
export function review(language: "a" | "b"): string {
  return language;
}
await startLambdaServer(new Service({ name: "Halves" }));
`;
const manifest = `{
  "name": "halves",
  "version": "1.2.0",
  "private": true,
  "type": "module"
}
`;
const broken = source.replace(
  '  mode?: "fast" | "exact";',
  '  mode?: "fast" | "exact";\n  /** Limit. */\n  limit: number;',
);

let user: PackedProject;
beforeAll(() => {
  user = packedProject({ "package.json": manifest, "src/service.ts": source, ".gitignore": "node_modules\n" });
  expect(user.tenon("generate")).toMatchObject({ status: 0 });
  git("init", "--quiet");
  git("add", "-A");
  git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "-m", "One");
});
afterAll(() => user.dispose());

function git(...words: readonly string[]): void {
  const env = { PATH: process.env["PATH"] ?? "", HOME: user.root };
  expect(spawnSync("git", words, { cwd: user.root, env, encoding: "utf8" })).toMatchObject({ status: 0 });
}

/** Beside this process, in which some of the servers run. */
async function check(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Finished> {
  const child = spawn(process.execPath, [join(user.root, "node_modules/tenon/dist/cli/main.js"), "check", ...words], {
    cwd: user.root,
    env: { ...bareEnv(), PATH: process.env["PATH"] ?? "", HOME: user.root, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close") as Promise<[number | null]>;
  const [stdout, stderr, [status]] = await Promise.all([textOf(child.stdout), textOf(child.stderr), ended]);
  return { status, stdout, stderr };
}

test("an unchanged contract passes, against a git ref and a file", async () => {
  for (const ref of ["HEAD", "service.json"]) {
    const { status, stderr } = await check(["--against", ref]);
    expect([status, stderr]).toEqual([
      0,
      `service.json is up to date\nAgainst ${ref}: no changes; callers are safe.\n`,
    ]);
  }
});

test("what cannot be compared is one line", async () => {
  const cases: readonly (readonly [string[], number, string])[] = [
    [["--against", "no-such-ref"], 1, "There is no git ref no-such-ref, and no such file."],
    [["--against", "package.json"], 1, "package.json cannot be compared: it is not a service definition"],
    [["--against", "http://127.0.0.1:1"], 1, "http://127.0.0.1:1/service.json cannot be reached"],
    [["--against", "npm:a b"], 1, "npm:a b is not a package. Write npm:name@version."],
    [["--format", "markdown"], 2, "--format markdown needs --against REF."],
    [["--against", "HEAD", "--format", "xml"], 2, "--format xml is not one of github, markdown, sarif."],
  ];
  for (const [words, status, said] of cases) {
    const finished = await check(words);
    expect([words, finished.status, finished.stdout, finished.stderr]).toEqual([
      words,
      status,
      "",
      expect.stringContaining(said),
    ]);
    expect(finished.stderr).not.toMatch(/^\s+at /m);
  }
});

describe("a field that became required", () => {
  beforeAll(() => {
    user.write({ "src/service.ts": broken });
    expect(user.tenon("generate")).toMatchObject({ status: 0 });
  });

  test("fails with a proof, the next URN and the next version", async () => {
    const { status, stderr } = await check(["--against", "HEAD"]);
    expect([status, stderr]).toEqual([
      1,
      `service.json is up to date
breaking  half request /limit  is new and required  required-added
          {"n":0} was accepted, is refused now: /limit: The key "limit" (number) is missing.
breaking  half request  the model changed, and its URN is still urn:example:schema.half.request.1  urn-unchanged
          {"n":0} was accepted, is refused now: /limit: The key "limit" (number) is missing.
          fix: change it to urn:example:schema.half.request.2

Against HEAD: 2 breaking; 2 of them fail the check.
The changes need version 2.0.0; it is still 1.2.0.
The tools take about 152 tokens in a model's tool list: + 15 tokens.
\`--fix\` writes the URNs and the version.
`,
    ]);
  });

  test("is told as JSON and for GitHub", async () => {
    const json = JSON.parse((await check(["--against", "HEAD", "--json"])).stdout) as object;
    expect(json).toMatchObject({
      current: true,
      findings: [
        {
          severity: "breaking",
          tool: "half",
          place: "request /limit",
          rule: "required-added",
          witness: { value: { n: 0 } },
        },
        { rule: "urn-unchanged" },
      ],
      version: { before: "1.2.0", after: "1.2.0", needed: "2.0.0" },
    });
    const github = await check(["--against", "HEAD", "--format", "github"]);
    expect(github.status).toBe(1);
    expect(github.stdout).toContain(
      "::error file=src/service.ts,line=17,title=breaking%3A required-added::half request",
    );
  });

  test("passes with an exception, until its last day", async () => {
    const allow = (until: string): void => {
      const entry = { tool: "half", reason: "nobody calls it yet", until };
      const rules = ["required-added", "urn-unchanged"].map((rule) => ({ ...entry, rule }));
      user.write({ "tenon.allow.json": JSON.stringify({ allow: rules }) });
    };
    allow("9999-12-31");
    const passed = await check(["--against", "HEAD"]);
    expect([passed.status, passed.stderr]).toEqual([0, expect.stringContaining("allowed: nobody calls it yet")]);
    allow("2020-01-01");
    const ended = await check(["--against", "HEAD"]);
    expect([ended.status, ended.stderr]).toEqual([1, expect.stringContaining("its exception ended on 2020-01-01")]);
    user.write({ "tenon.allow.json": "{}" });
    const wrong = await check(["--against", "HEAD"]);
    expect([wrong.status, wrong.stderr]).toEqual([1, expect.stringContaining("tenon.allow.json cannot be used")]);
    user.write({ "tenon.allow.json": '{ "allow": [] }' });
  });

  test("--fix writes the URN and the version", async () => {
    const { status, stderr } = await check(["--against", "HEAD", "--fix"]);
    expect([status, stderr]).toEqual([1, expect.stringContaining("fixed src/service.ts:3  urn:example")]);
    expect(user.read("src/service.ts")).toBe(broken.replace("half.request.1", "half.request.2"));
    expect(user.read("package.json")).toBe(manifest.replace("1.2.0", "2.0.0"));
    expect(stderr).toContain('the URN "urn:example:schema.half.request.1" became "urn:example:schema.half.request.2"');
    expect(stderr).not.toContain("urn-unchanged");
    user.write({ "src/service.ts": broken, "package.json": manifest });
  });
});

test("a running service is compared, by what it publishes", async () => {
  user.write({ "src/service.ts": source });
  expect(user.tenon("build")).toMatchObject({ status: 0 });
  const running = await serve(join(user.root, "dist/service.mjs"));
  expect(await check(["--against", running.url])).toMatchObject({ status: 0 });
  user.write({ "src/service.ts": source.replace("n: number;", "n: string;").replace("request.n / 2", "1") });
  const { status, stdout } = await check(["--against", `${running.url}/`, "--json"]);
  expect([status, JSON.parse(stdout)]).toMatchObject([
    1,
    { findings: [{ place: "request /n", rule: "type-changed" }, { rule: "urn-unchanged" }] },
  ]);
  expect(await running.stop()).toBe(0);
});

test("a published package is fetched with npm", async () => {
  user.write({ "src/service.ts": broken });
  const definition = user.tenon("check", "--against", "HEAD", "--json");
  expect(definition.status).toBe(1);
  const archive = tarOf({ "package/service.json": user.read("service.json"), "package/package.json": manifest });
  const registry = createServer((request, response) => {
    if (request.url?.endsWith(".tgz") === true) return response.end(archive);
    const { port } = registry.address() as AddressInfo;
    const dist = { tarball: `http://127.0.0.1:${port}/halves.tgz` };
    const versions = { "1.2.0": { name: "halves", version: "1.2.0", dist } };
    return response.end(JSON.stringify({ name: "halves", "dist-tags": { latest: "1.2.0" }, versions }));
  });
  await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
  const { port } = registry.address() as AddressInfo;
  const env = { npm_config_registry: `http://127.0.0.1:${port}/`, npm_config_cache: join(user.root, ".npm") };
  const { stdout } = await check(["--against", "npm:halves@1.2.0", "--json"], env);
  expect(JSON.parse(stdout)).toMatchObject({ against: "npm:halves@1.2.0", findings: expect.any(Array) });
  const absent = await check(["--against", "npm:halves@9.9.9"], env);
  expect([absent.status, absent.stderr]).toEqual([1, expect.stringContaining("npm has no package halves@9.9.9")]);
  registry.close();
});

test("tenon dev says in one line that an edit breaks the committed contract", async () => {
  user.write({ "src/service.ts": source });
  const child = spawn(
    process.execPath,
    [join(user.root, "node_modules/tenon/dist/cli/main.js"), "dev", "--port", "0"],
    {
      cwd: user.root,
      env: { ...bareEnv(), PATH: process.env["PATH"] ?? "", NO_COLOR: "1" },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  const ended = once(child, "exit");
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line);
    if (line.includes("http://127.0.0.1:")) user.write({ "src/service.ts": broken });
    if (line.startsWith("This breaks")) break;
  }
  child.kill("SIGINT");
  await ended;
  expect(lines.at(-1)).toBe(
    "This breaks the committed contract: half request /limit is new and required, and 1 more. " +
      "`tenon check --against HEAD` tells all.",
  );
});
