import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PackedProject, packedProject, serve, type Served } from "../support/packed-project.ts";

interface Command {
  readonly page: string;
  readonly text: string;
  /** The result in the comment behind the command. */
  readonly said: string | undefined;
}

const fence = /^```(\w+)\n(.*?)^```/gms;
const pages = ["README.md", "docs/rest.md"];

/** The fenced blocks of a page in one language. */
function blocks(page: string, language: string): readonly string[] {
  return [...readFileSync(page, "utf8").matchAll(fence)].flatMap(([, name, text = ""]) =>
    name === language ? [text] : [],
  );
}

/** Those that call a running service; others install or build something. */
function commandsOf(page: string): readonly Command[] {
  return blocks(page, "sh").flatMap((block) => {
    const lines = block.split("\n");
    return lines.flatMap((line, index) => {
      if (!/^curl |^npx tenon call .*--url/.test(line)) return [];
      const [, said] = /^# (.*)$/.exec(lines[index + 1] ?? "") ?? [];
      return [{ page, text: line.replace(/\s+#.*$/, ""), said }];
    });
  });
}

/** README's own service: each block of code that begins with the path of its file. */
function readmeFiles(): Readonly<Record<string, string>> {
  const found = blocks("README.md", "ts").flatMap((block) => {
    const [, path] = /^\/\/ (src\/[\w-]+\.ts)\n/.exec(block) ?? [];
    return path === undefined ? [] : [[path, block]];
  });
  return Object.fromEntries(found) as Record<string, string>;
}

const entries = { "one tool": "service", "several tools": "several" };
const commands = pages.flatMap(commandsOf).flatMap((command) => Object.keys(entries).map((of) => ({ ...command, of })));
let user: PackedProject;
/** README's service with its one tool, and one with another beside it, as `npm start` serves. */
const services = new Map<string, Served>();
beforeAll(async () => {
  const files = readmeFiles();
  const other = "/** Says nothing.\n * @tool */\nexport function other(): void {}\n";
  const several = `import "./other.js";\n${files["src/service.ts"]}`;
  user = packedProject({ ...files, "src/other.ts": other, "src/several.ts": several });
  for (const [of, entry] of Object.entries(entries)) {
    expect(user.tenon("build", `src/${entry}.ts`, "--outdir", `dist-${entry}`)).toMatchObject({ status: 0 });
    services.set(of, await serve(join(user.root, `dist-${entry}`, `${entry}.mjs`), ["--with-mcp"]));
  }
});
afterAll(async () => {
  for (const service of services.values()) await service.stop();
  user.dispose();
});

test("there are commands on each page, and README's service has both files", () => {
  expect(pages.filter((page) => !commands.some((command) => command.page === page))).toEqual([]);
  expect(Object.keys(readmeFiles())).toEqual(["src/is-prime.ts", "src/service.ts"]);
});

test.each(commands)("$page, a service of $of: $text", ({ text, said, of }) => {
  const program = `${process.execPath} ${join(user.root, "node_modules/tenon/dist/cli/main.js")}`;
  const line = text
    .replace(/(?:http:\/\/)?(?:localhost|127\.0\.0\.1):8090/g, services.get(of)?.url ?? "")
    .replace(/^npx tenon/, program)
    // An answer with an error ends it with code 22.
    .replace(/^curl/, "curl -sS --fail");
  const { status, stdout, stderr } = spawnSync("sh", ["-c", line], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, expect.not.stringMatching(/error/i)]);
  expect([stdout.trim(), stdout === ""]).toEqual([said ?? stdout.trim(), false]);
});
