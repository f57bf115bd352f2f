/** The workspace of docs/monorepos.md, installed with npm, built and called. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type Finished, type PackedProject, packedProject, serve } from "../support/packed-project.ts";

const page = readFileSync("docs/monorepos.md", "utf8");
const [typesPackage = "", withSource = "", tsconfig = ""] = [...page.matchAll(/^```json\n(.*?)^```/gms)].map(
  ([, text = ""]) => text,
);
const code = Object.fromEntries(
  [...page.matchAll(/^```ts\n\/\/ (\S+)\n(.*?)^```/gms)].map(([, path = "", text = ""]) => [path, text]),
);
const primesPackage = { name: "@acme/primes", version: "1.0.0", type: "module" };
const compiled = { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } };
const tool = "packages/primes/src/index.ts";

let user: PackedProject;
beforeAll(() => {
  user = packedProject(
    {
      ...code,
      "package.json": '{ "name": "acme", "private": true, "workspaces": ["packages/*", "services/*"] }\n',
      "packages/types/package.json": typesPackage,
      "packages/primes/package.json": JSON.stringify({
        ...primesPackage,
        exports: compiled,
        dependencies: { "@acme/types": "1.0.0" },
      }),
      "packages/primes/tsconfig.json": tsconfig,
      "services/numbers/package.json": JSON.stringify({
        name: "@acme/numbers",
        version: "1.0.0",
        type: "module",
        dependencies: { "@acme/primes": "1.0.0", "@acme/types": "1.0.0" },
      }),
      "services/numbers/src/width.ts": `import type { Range } from "@acme/types";

/** Counts the numbers of a range.
 * @tool */
export function width({ from, to }: Range): number {
  return to - from + 1;
}
`,
    },
    { typescript: "typescript" },
  );
  // npm removes packages that the workspace does not name.
  const installed = join(user.root, "node_modules");
  renameSync(installed, `${installed}-of-registry`);
  const words = ["install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts"];
  expect(spawnSync("npm", words, { cwd: user.root, encoding: "utf8" })).toMatchObject({ status: 0 });
  for (const name of readdirSync(`${installed}-of-registry`))
    renameSync(join(`${installed}-of-registry`, name), join(installed, name));
});
afterAll(() => user.dispose());

const service = (): string => join(user.root, "services/numbers");
const program = (): string => join(user.root, "node_modules/tenon/dist/cli/main.js");
const build = (): Finished => user.node([program(), "build"], { cwd: service() });

async function primesAt(url: string): Promise<unknown> {
  const body = '{"from":1,"to":12}';
  const answer = await fetch(`${url}/tool/primesOf`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  return answer.json();
}

test("a package that is not compiled ends the build, with what to do", () => {
  const { status, stderr } = build();
  expect(status).toBe(1);
  expect(stderr).toContain("The import of `@acme/primes` leads nowhere.\n  fix   compile `@acme/primes` first");
});

test("the page's commands build one service of tools and types in three packages", async () => {
  expect(user.node(["node_modules/typescript/bin/tsc", "-p", "packages/primes"])).toMatchObject({ status: 0 });
  expect(build()).toMatchObject({ status: 0 });
  const served = await serve(join(service(), "dist/service.mjs"));
  onTestFinished(async () => void (await served.stop()));
  expect(await primesAt(served.url)).toEqual([2, 3, 5, 7, 11]);
  const refused = await fetch(`${served.url}/tool/width`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"from":-1,"to":12}',
  });
  expect(refused.status).toBe(422);
});

test("`tenon dev` follows a change in the sources of a package", async () => {
  const child = spawn(process.execPath, [program(), "dev", "--port", "0"], {
    cwd: service(),
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env["PATH"], NO_COLOR: "1" },
  });
  onTestFinished(async () => {
    const ended = once(child, "exit");
    child.kill("SIGINT");
    await ended;
  });
  let said = "";
  createInterface({ input: child.stderr }).on("line", (line) => (said += `${line}\n`));
  await expect.poll(() => said, { interval: 20 }).toMatch(/http:\/\/127\.0\.0\.1:\d+/);
  user.write({ [tool]: user.read(tool).replace("n > 1", "n > 5") });
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] ?? "";
  await expect.poll(() => primesAt(url), { interval: 50 }).toEqual([7, 11]);
});

test("the condition `source` leads to the sources without a map", () => {
  user.remove("packages/primes/dist/index.d.ts.map");
  expect(build().stderr).toContain("TN416");
  user.write({
    "packages/primes/package.json": JSON.stringify({ ...primesPackage, ...(JSON.parse(withSource) as object) }),
  });
  expect(build()).toMatchObject({ status: 0, stderr: expect.not.stringContaining("TN416") as string });
});
