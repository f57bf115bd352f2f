import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, expect, test } from "vitest";
import { type PackedProject, packedProject } from "../support/packed-project.ts";
import { primeFiles } from "../support/prime-project.ts";

let user: PackedProject;
afterEach(() => user.dispose());

/** A service whose entry and definition are where only the options say. */
function project(options: Readonly<Record<string, string>>): PackedProject {
  const { "src/service.ts": entry = "", ...others } = primeFiles;
  user = packedProject({ ...others, "src/main.ts": entry, ...options });
  return user;
}

const values = '{ entry: "src/main.ts", service: "deploy/definition.json" }';
const inModule = `export default ${values};\n`;
const typed = `import { defineConfig } from "tenon/plugin";\nexport default defineConfig(${values});\n`;
const inPackage = `${JSON.stringify({
  name: "user-project",
  type: "module",
  version: "1.2.3",
  tenon: { entry: "src/main.ts", service: "deploy/definition.json" },
})}\n`;

// Each place with another command, since all of them read the options by one function.
test.each([
  ["package.json", "generate", inPackage],
  ["tenon.config.ts", "generate", typed],
  ["tenon.config.mts", "build", typed],
  ["tenon.config.mjs", "build", inModule],
])("options in %s count for %s, and check agrees", (file, command, text) => {
  project({ [file]: text });
  expect(user.tenon(command)).toMatchObject({ status: 0, stderr: expect.not.stringContaining("rror") });
  expect([existsSync(join(user.root, "deploy/definition.json")), existsSync(join(user.root, "service.json"))]).toEqual([
    true,
    false,
  ]);
  expect(existsSync(join(user.root, "dist/main.mjs"))).toBe(command === "build");
  expect(user.tenon("check")).toMatchObject({
    status: 0,
    stderr: "deploy/definition.json is up to date\n",
  });
});

test("options in tenon.config.js count for dev", async () => {
  project({ "tenon.config.js": inModule });
  const main = join(user.root, "node_modules/tenon/dist/cli/main.js");
  const child = spawn(process.execPath, [main, "dev", "--port", "0"], {
    cwd: user.root,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(child, "exit") as Promise<[number | null]>;
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line);
    const said = lines.join("\n");
    // A second signal would end it at once.
    if (!child.killed && said.includes("built src/main.ts") && said.includes("http://127.0.0.1:")) child.kill("SIGINT");
  }
  expect([await ended, lines.join("\n")]).toEqual([[0, null], expect.stringContaining("http://127.0.0.1:")]);
  expect(existsSync(join(user.root, "deploy/definition.json"))).toBe(true);
});

test("options in two places are refused by name", () => {
  project({ "tenon.config.js": inModule, "tenon.config.mts": typed });
  expect(user.tenon("check")).toMatchObject({
    status: 1,
    stdout: "",
    stderr: expect.stringContaining("options stand in two places, tenon.config.js and tenon.config.mts."),
  });
});

test("a definition whose folder cannot be made is told without a stack", () => {
  project({ "package.json": inPackage, deploy: "a file" });
  for (const command of ["generate", "build"]) {
    const { status, stderr } = user.tenon(command);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/deploy cannot be made \(EEXIST\)|EEXIST.*'deploy'/)]);
    expect(stderr).not.toContain("    at ");
  }
});
