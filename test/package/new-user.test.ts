import { get } from "node:http";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type PackedProject, type PackedProjectOptions, packedProject, serve } from "../support/packed-project.ts";
import { checkMcpHttp, checkMcpStdio, checkRest } from "../support/prime-checks.ts";
import { primeFiles } from "../support/prime-project.ts";

let open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.toReversed()) close();
  open = [];
});

function project(files: Readonly<Record<string, string>>, options?: PackedProjectOptions): PackedProject {
  const made = packedProject(files, options);
  open.push(made.dispose);
  return made;
}

/** Copies a build into an empty folder outside every node_modules, where only its own files can be found. */
function moved(dist: string): string {
  const folder = mkdtempSync(join(tmpdir(), "tenon-moved-"));
  open.push(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  cpSync(dist, folder, { recursive: true });
  return folder;
}

async function checkAllFronts(folder: string): Promise<void> {
  const entry = join(folder, "service.mjs");
  const served = await serve(entry, ["--with-mcp"]);
  try {
    await checkRest(served.url);
    await checkMcpHttp(served.url);
  } finally {
    expect(await served.stop()).toBe(0);
  }
  await checkMcpStdio(entry);
}

const vite = `import { defineConfig } from "vite";
import tenon from "tenon/vite";
export default defineConfig({ plugins: [tenon()], logLevel: "error" });
`;
const esbuild = `import { build } from "esbuild";
import tenon from "tenon/esbuild";
await build({ entryPoints: ["src/service.ts"], bundle: true, outdir: "dist", outExtension: { ".js": ".mjs" }, plugins: [tenon()], logLevel: "error" });
`;

/** A tool of a project without the optional package `openai`. */
const askModel = `import type { JobContext } from "tenon";
/** Asks a model. @tool */
export async function askModel(text: string, job: JobContext): Promise<string> {
  const llm = await job.llmClient({ apiKey: "key" });
  return job.platform.uploadArtifact({ name: "answer", content: text + llm.baseURL }).then(({ urn }) => urn);
}
`;
const askModelTest = `import { callTool, fakePlatform } from "tenon/testing";
import { expect, test } from "vitest";
import { askModel } from "./ask-model.js";
import { greet } from "./greet.js";
test("a tool is called through its validator", async () => {
  const { result, wire } = await callTool(greet, { name: "Ada" }, { platform: fakePlatform() });
  expect([result.text, wire]).toEqual(["Hello, Ada!", { $schema: "urn:example:schema.greet.1", text: "Hello, Ada!" }]);
  await expect(callTool(greet, { name: "" })).rejects.toMatchObject({ kind: "validation" });
});
test("a package that is missing is named", async () => {
  const cause = { name: "LlmPackageError", message: expect.stringContaining("npm install openai") };
  await expect(callTool(askModel, { text: "hi" })).rejects.toMatchObject({ kind: "system", cause });
});
`;

describe("a new user's project", () => {
  test("tenon build writes a service that runs in an empty folder and answers on every front", async () => {
    const user = project(primeFiles);
    expect(user.tenon("build")).toMatchObject({ status: 0 });
    expect(JSON.parse(user.read("service.json"))).toMatchObject({ name: "Prime numbers", version: "1.2.3" });
    expect(user.tenon("check")).toMatchObject({ status: 0 });
    await checkAllFronts(moved(join(user.root, "dist")));
  });

  test("esbuild with one plugin does the same, with TypeScript 7 installed", async () => {
    const user = project(
      { ...primeFiles, "build.mjs": esbuild },
      { typescript: "typescript-7", packages: ["esbuild"] },
    );
    expect(user.node(["build.mjs"])).toMatchObject({ status: 0, stderr: "" });
    await checkAllFronts(moved(join(user.root, "dist")));
  });

  test("vite with one plugin does the same, with TypeScript 5 installed", async () => {
    const user = project({ ...primeFiles, "vite.config.ts": vite }, { typescript: "typescript-5", packages: ["vite"] });
    expect(user.node(["node_modules/vite/bin/vite.js", "build"])).toMatchObject({ status: 0, stderr: "" });
    await checkAllFronts(moved(join(user.root, "dist")));
  });

  // The oldest and the newest; `tenon init` below is checked by the one between.
  test.each(["typescript-5", "typescript-7"] as const)("%s accepts the project and our declarations", (typescript) => {
    const user = project(primeFiles, { typescript });
    // The declarations of all dependencies take the oldest ten seconds; the newest checks them.
    const skip = typescript === "typescript-5" ? ["--skipLibCheck"] : [];
    const words = ["node_modules/typescript/bin/tsc", "-p", ".", ...skip];
    expect(user.node(words)).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  test("tenon init makes a service that builds, passes its test and is up to date", () => {
    const user = project({}, { typescript: "typescript", packages: ["vitest", "vite"] });
    expect(user.tenon("init", "greeter")).toMatchObject({ status: 0 });
    const cwd = join(user.root, "greeter");
    const tenon = join(user.root, "node_modules/tenon/dist/cli/main.js");
    expect(user.node([tenon, "build"], { cwd })).toMatchObject({ status: 0 });
    expect(user.node([tenon, "check"], { cwd })).toMatchObject({ status: 0 });
    expect(user.node([join(user.root, "node_modules/typescript/bin/tsc"), "--noEmit"], { cwd })).toMatchObject({
      status: 0,
      stdout: "",
    });
    user.write({ "greeter/src/ask-model.ts": askModel, "greeter/src/ask-model.test.ts": askModelTest });
    const tested = user.node([join(user.root, "node_modules/vitest/vitest.mjs"), "run"], { cwd });
    expect(tested).toMatchObject({ status: 0, stdout: expect.stringContaining("5 passed") });
    const called = user.node([tenon, "call", "greet", '{"name": "Ada"}', "--json"], { cwd });
    expect(called).toMatchObject({
      status: 0,
      stdout: '{\n  "$schema": "urn:example:schema.greet.1",\n  "text": "Hello, Ada!"\n}\n',
    });
    const again = user.tenon("init", "greeter", "--json");
    expect(JSON.parse(again.stdout)).toMatchObject({ files: [], kept: expect.arrayContaining(["package.json"]) });
    expect(user.node([tenon, "check"], { cwd })).toMatchObject({ status: 0 });
  });

  test("tenon init in a CommonJS package, whose folder has a space, ends with a check that passes", () => {
    const user = project(
      { "my app/package.json": '{ "name": "my-app", "version": "1.0.0" }\n' },
      {
        typescript: "typescript-7",
        packages: ["vitest", "vite"],
      },
    );
    expect(user.tenon("init", "my app").stderr).toContain("cd 'my app' && npm install");
    const cwd = join(user.root, "my app");
    const tenon = join(user.root, "node_modules/tenon/dist/cli/main.js");
    expect(user.node([tenon, "build"], { cwd })).toMatchObject({ status: 0 });
    // Runs the same as the script `check`.
    const types = user.node([join(user.root, "node_modules/typescript/bin/tsc"), "--noEmit"], { cwd });
    expect(types).toEqual({ status: 0, stdout: "", stderr: "" });
    expect(user.node([tenon, "check"], { cwd })).toMatchObject({ status: 0 });
  });

  test("tenon init beside a tsconfig of CommonJS gives the service one of its own", () => {
    const compiler = { target: "es2020", module: "commonjs", moduleResolution: "node10", outDir: "dist" };
    const own = `{\n  // Theirs.\n  "compilerOptions": ${JSON.stringify({ ...compiler, strict: true })}`;
    const theirs = {
      "package.json": '{ "name": "shop", "version": "2.1.0", "scripts": { "build": "tsc" } }\n',
      "tsconfig.json": `${own}\n}\n`,
      "src/index.ts": 'import { join } from "path";\nconsole.log(join("a", "b"));\n',
    };
    const user = project(theirs, { typescript: "typescript-5", packages: ["vitest", "vite"] });
    user.write(theirs);
    expect(user.tenon("init")).toMatchObject({ status: 0 });
    const tsc = "node_modules/typescript/bin/tsc";
    expect(JSON.parse(user.read("package.json"))).toMatchObject({
      scripts: { build: "tsc", check: "tsc --noEmit -p service && tenon check" },
      tenon: { entry: "service/service.ts" },
    });
    // The two commands of the script `check`, and their own build.
    expect(user.node([tsc, "--noEmit", "-p", "service"])).toEqual({ status: 0, stdout: "", stderr: "" });
    expect(user.tenon("build")).toMatchObject({ status: 0 });
    expect(user.tenon("check")).toMatchObject({ status: 0 });
    expect(user.node([tsc])).toEqual({ status: 0, stdout: "", stderr: "" });
    expect(user.node(["dist/index.js"])).toMatchObject({ status: 0, stdout: "a/b\n" });
    expect(user.read("tsconfig.json").startsWith(`${own},`)).toBe(true);
    expect(JSON.parse(user.tenon("init", "--json").stdout)).toMatchObject({ files: [] });
  });

  test("npm start of tenon init tells errors with lines of the sources, and its editor starts what is there", async () => {
    const user = project({});
    expect(user.tenon("init", "greeter")).toMatchObject({ status: 0 });
    const cwd = join(user.root, "greeter");
    const greet = user
      .read("greeter/src/greet.ts")
      .replace("  return {", '  if (name === "Bug") throw new TypeError("a bug");\n  return {');
    user.write({ "greeter/src/greet.ts": greet });
    const tenon = join(user.root, "node_modules/tenon/dist/cli/main.js");
    expect(user.node([tenon, "build"], { cwd })).toMatchObject({ status: 0 });
    const { start } = (JSON.parse(user.read("greeter/package.json")) as { scripts: { start: string } }).scripts;
    const [program, flag = "", file = "", ...flags] = start.split(" ");
    expect([program, flag]).toEqual(["node", "--enable-source-maps"]);
    const served = await serve(join(cwd, file), flags, { NODE_OPTIONS: flag });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${served.url}/tool/greet`, { method: "POST", headers, body: '{"name":"Bug"}' });
    expect(answer.status).toBe(500);
    await served.stop();
    const line = greet.split("\n").findIndex((text) => text.includes("a bug")) + 1;
    expect(served.stderr()).toContain(`src/greet.ts:${line}:`);
    const { configurations } = JSON.parse(user.read("greeter/.vscode/launch.json")) as {
      configurations: readonly { readonly program?: string; readonly args?: readonly string[] }[];
    };
    const [launched] = configurations;
    expect(existsSync(launched?.program?.replace("${workspaceFolder}", user.root) ?? "")).toBe(true);
    expect(launched?.args).toEqual(["dev"]);
  });

  test("the Dockerfile of tenon init, step by step, is a service that answers", async () => {
    const user = project({});
    expect(user.tenon("init", "greeter")).toMatchObject({ status: 0 });
    const dockerfile = user.read("greeter/Dockerfile");
    // Files that are copied into the image: all that .dockerignore leaves. node_modules is what `npm ci` makes there.
    const ignored = user.read("greeter/.dockerignore").split("\n");
    expect(ignored).toEqual(expect.arrayContaining(["node_modules/", "dist/", ".env*"]));
    user.write({ "greeter/dist/service.mjs": "an old build", "greeter/.env": "SECRET=1" });
    const app = join(user.root, "app");
    for (const name of readdirSync(join(user.root, "greeter")))
      if (!ignored.some((line) => line.replace(/\/$/, "") === name || (line.endsWith("*") && name.startsWith(".env"))))
        cpSync(join(user.root, "greeter", name), join(app, name), { recursive: true });
    expect(readdirSync(app)).toEqual(expect.arrayContaining(["package.json", "src", "resources.json"]));
    expect(existsSync(join(app, ".env"))).toBe(false);
    const [, build = ""] = /^RUN npx tenon (.*)$/m.exec(dockerfile) ?? [];
    const tenon = join(user.root, "node_modules/tenon/dist/cli/main.js");
    expect(user.node([tenon, ...build.split(" ")], { cwd: app })).toMatchObject({ status: 0 });
    expect(dockerfile).toContain("COPY --from=build /app/dist ./");
    const [, entry = "[]"] = /^ENTRYPOINT (.*)$/m.exec(dockerfile) ?? [];
    const [program, maps, file = "", ...flags] = JSON.parse(entry) as string[];
    expect([program, maps]).toEqual(["node", "--enable-source-maps"]);
    // As in a container: another user, who may write nothing but what the image names for it, and no other variable.
    const [, set = ""] = /^ENV (.*)$/m.exec(dockerfile) ?? [];
    const scratch = mkdtempSync(join(tmpdir(), "tenon-scratch-"));
    open.push(() => rmSync(scratch, { recursive: true, force: true }));
    const env = Object.fromEntries(
      set.split(" ").map((pair) => {
        const [name = "", value = ""] = pair.split("=");
        return [name, value.replace(/^\/tmp/, scratch)];
      }),
    );
    const folder = moved(join(app, "dist"));
    const [, user65532 = ""] = /^USER (\d+):\1$/m.exec(dockerfile) ?? [];
    const other = Number(user65532);
    expect(other).toBeGreaterThan(0);
    const identity = process.getuid?.() === 0 ? { uid: other, gid: other } : {};
    if (identity.uid !== undefined) chownSync(scratch, other, other);
    const forbidWrites = (path: string, write: number): void => {
      if (!statSync(path).isDirectory()) return chmodSync(path, 0o444 | write);
      chmodSync(path, 0o555 | write);
      for (const name of readdirSync(path)) forbidWrites(join(path, name), write);
    };
    forbidWrites(folder, 0);
    open.push(() => forbidWrites(folder, 0o200));
    const before = readdirSync(folder, { recursive: true }).toSorted();
    const served = await serve(join(folder, file), flags, env, identity);
    try {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(`${served.url}/tool/greet`, { method: "POST", headers, body: '{"name":"Ada"}' });
      expect(await answer.json()).toMatchObject({ text: "Hello, Ada!" });
      expect((await fetch(`${served.url}/readyz`)).status).toBe(200);
      // By the name of the container, as others in its network call it, and by one that leads here by chance.
      const { port } = new URL(served.url);
      const byName = (host: string): Promise<number | undefined> =>
        new Promise((resolve, reject) => {
          get({ port, path: "/tool/greet", headers: { host } }, (response) => resolve(response.resume().statusCode)).on(
            "error",
            reject,
          );
        });
      expect([await byName("greeter:8090"), await byName("localhost:8090")]).toEqual([200, 200]);
      expect(await byName("evil.example")).toBe(403);
    } finally {
      expect(await served.stop()).toBe(0);
    }
    expect(served.stderr().replaceAll(/^.*TENON_ALLOWED_HOSTS=evil.*$/gm, "")).not.toMatch(/WARN|ERROR|EACCES|EROFS/);
    expect(readdirSync(folder, { recursive: true }).toSorted()).toEqual(before);
    // The hosts' files start the same build over stdio.
    for (const [path, key] of [
      [".mcp.json", "mcpServers"],
      [".vscode/mcp.json", "servers"],
    ] as const) {
      const { greeter } =
        (JSON.parse(user.read(`greeter/${path}`)) as Record<string, Record<string, unknown>>)[key] ?? {};
      expect(greeter).toEqual({
        command: "node",
        args: ["--enable-source-maps", "dist/service.mjs", "--with-mcp-stdio"],
      });
    }
  });

  test("tenon init --docker adds an image to a service, and keeps what there is", () => {
    const user = project({
      "package.json": '{ "name": "theirs", "tenon": { "entry": "src/worker.ts" } }',
      "pnpm-lock.yaml": "",
      ".dockerignore": "secrets/",
      "src/worker.ts": 'import { startBatchService } from "tenon";',
    });
    const made = user.tenon("init", "--docker", "--json");
    expect(JSON.parse(made.stdout)).toMatchObject({ files: ["Dockerfile", ".dockerignore"], kept: [] });
    expect(user.read("Dockerfile")).toMatch(/^RUN corepack enable && pnpm install --frozen-lockfile$/m);
    expect(user.read("Dockerfile")).toMatch(/^ENTRYPOINT \["node", "--enable-source-maps", "worker.mjs"\]$/m);
    expect(user.read(".dockerignore").split("\n").slice(0, 2)).toEqual(["secrets/", "node_modules/"]);
    user.write({ Dockerfile: "FROM theirs" });
    expect(user.tenon("init", "--docker").stderr).toContain("there already");
    expect(user.read("Dockerfile")).toBe("FROM theirs");
    const empty = user.tenon("init", "nowhere", "--docker");
    expect(empty).toMatchObject({ status: 1, stderr: expect.stringContaining("no package.json in nowhere") });
  });

  test("tenon init in a project that exists changes nothing of it, and its service builds", () => {
    const own = {
      "package.json": '{"name": "theirs", "scripts": {"dev": "next dev"}}',
      "README.md": "mine",
      ".mcp.json": '{"mcpServers": {}}',
      ".gitignore": "coverage/",
      ".git/HEAD": "ref: refs/heads/main",
      "src/index.ts": "export const one = 1;",
    };
    const user = project(own, { typescript: "typescript" });
    user.write(own);
    const made = user.tenon("init", "--json");
    expect(made).toMatchObject({ status: 0 });
    expect(JSON.parse(made.stdout)).toMatchObject({ kept: ["README.md", ".mcp.json"].toSorted() });
    expect([user.read(".mcp.json"), user.read("src/index.ts")]).toEqual([own[".mcp.json"], own["src/index.ts"]]);
    expect(user.read(".gitignore").split("\n")).toEqual(
      expect.arrayContaining(["coverage/", "node_modules/", "dist/"]),
    );
    expect(JSON.parse(readFileSync(join(user.root, "package.json"), "utf8"))).toMatchObject({
      name: "theirs",
      scripts: { dev: "next dev", "tenon:dev": "tenon dev", build: "tenon build" },
    });
    expect(readFileSync(join(user.root, "README.md"), "utf8")).toBe("mine");
    expect(user.tenon("build")).toMatchObject({ status: 0 });
    user.write({ "package.json": "{" });
    expect(user.tenon("init")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("package.json cannot be read"),
    });
  });
});

test("the package holds what users need and nothing else", () => {
  const user = project({});
  const root = join(user.root, "node_modules/tenon");
  expect(readdirSync(root).toSorted()).toEqual([
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "SECURITY.md",
    "dist",
    "docs",
    "package.json",
    "tsdoc.json",
  ]);
  // Findings say where to read more: on this machine.
  expect(user.tenon("explain", "TN301")).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^TN301\n\n\*\*JSON cannot carry this type\*\* \(error\)/),
  });
  expect(user.tenon("explain", "bundlers")).toMatchObject({ status: 0, stdout: expect.stringContaining("rolldown") });
  expect(user.tenon("explain", "TN999")).toMatchObject({ status: 1, stdout: "" });
  // A release has its bill of materials beside them (`npm run supply`); a plain build does without.
  const built = readdirSync(join(root, "dist")).filter((name) => name !== "sbom.cdx.json");
  expect(built.toSorted()).toEqual(["cli", "plugin", "runtime", "third-party-licences.txt"]);
});

test("no link of the package's pages is dead", () => {
  const user = project({});
  const root = join(user.root, "node_modules/tenon");
  const pages = ["README.md", "SECURITY.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)];
  const dead = pages
    .filter((page) => page.endsWith(".md"))
    .flatMap((page) => {
      const prose = readFileSync(join(root, page), "utf8")
        .replaceAll(/^```.*?^```/gms, "")
        .replaceAll(/`[^`\n]*`/g, "");
      return [...prose.matchAll(/\]\(([^)\s#:]+)(?:#[^)]*)?\)/g)].flatMap(([, link = ""]) =>
        // The place on the forge where holes are reported is relative to the repository's page.
        existsSync(join(root, page, "..", link)) || link === "../../security/advisories/new"
          ? []
          : [`${page}: ${link}`],
      );
    });
  expect(dead).toEqual([]);
});
