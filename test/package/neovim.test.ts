import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { packedProject } from "../support/packed-project.ts";

const missing = spawnSync("nvim", ["--version"]).error !== undefined;

interface Seen {
  readonly problem?: string;
  readonly codes?: readonly string[];
  readonly messages?: readonly string[];
  readonly fixed?: string;
  readonly hover?: string;
  readonly completion?: readonly string[];
}

test.skipIf(missing)(
  `Neovim shows findings, makes a fix, shows a tool and completes tags${missing ? " [needs nvim: scripts/install-test-tools.sh (Debian)]" : ""}`,
  () => {
    const project = packedProject({
      "src/service.ts": `import { Service, startLambdaServer } from "tenon";
import "./add.js";

await startLambdaServer(new Service({ name: "Sums", description: "Adds numbers." }));
`,
      "src/add.ts": `/** Numbers to add. @schema urn:example:schema.sum.1 */
export interface Sum {
  /** The first one. @minimun 1 */
  a: number;
}

/**
 * Adds numbers.
 * @tool
 * @readonly
 */
export function add(request: Sum): number {
  return request.a;
}
`,
      "tsconfig.json": '{ "compilerOptions": { "strict": true } }',
    });
    const values = {
      node: process.execPath,
      main: join(project.root, "node_modules/tenon/dist/cli/main.js"),
      out: join(project.root, "seen.json"),
    };
    const globals = Object.entries(values).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
    const script = resolve("test/support/neovim.lua");
    const words = ["--headless", "-u", "NONE", "-i", "NONE", "-n", "src/add.ts"];
    const { stderr } = spawnSync("nvim", [...words, "-c", `lua ${globals.join("; ")}`, "-c", `luafile ${script}`], {
      cwd: project.root,
      encoding: "utf8",
      timeout: 240_000,
    });
    const seen = JSON.parse(project.read("seen.json")) as Seen;
    expect(`${seen.problem ?? ""}${stderr}`).toBe("");
    expect(seen.codes).toEqual(["TN109"]);
    expect(seen.messages).toEqual([expect.stringContaining("@minimun")]);
    expect(seen.fixed).toContain("/** The first one. @minimum 1 */");
    expect(seen.hover).toContain("POST /tool");
    expect(seen.hover).toContain("urn:example:schema.sum.1");
    expect(seen.completion).toContain("@idempotent");
    project.dispose();
  },
);
