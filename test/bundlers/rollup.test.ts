import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type Finished, packedProject, type PackedProject } from "../support/packed-project.ts";

const files = {
  "src/add.ts": `/**
 * Adds two numbers.
 * @tool
 * @schema urn:example:schema.add.request.1
 * @param a - The first.
 * @param b - The second.
 */
export async function add(a: number, b: number): Promise<number> {
  return first<number>(a) + b;
}
const first = <T>(value: T): T => value;
`,
  "src/service.ts": `import { tmpdir } from "os";
import { Service, startLambdaServer } from "tenon";
import "./add.js";
export const place = tmpdir();
await startLambdaServer(new Service({ name: "Sums" }));
`,
};

/** Takes the types away with the compiler, in the hook that is named. */
const compiler = (name: string, hook: "load" | "transform"): string => `import { transformSync } from "rolldown/utils";
import { readFileSync } from "node:fs";
const compile = (code, id) => /\\.ts$/.test(id) ? { code: transformSync(id, code).code, map: null } : null;
export const other = { name: "${name}", ${hook}${hook === "load" ? ": (id) => compile(/\\.ts$/.test(id) ? readFileSync(id, 'utf8') : '', id)" : ": compile"} };
`;
const renames =
  "export const other = { name: 'rename', transform: (code) => ({ code: code.replace('Sums', 'Totals'), map: null }) };\n";

let user: PackedProject | undefined;
afterEach(() => user?.dispose());

/** Builds with Rollup, with at most one plugin beside tenon's. */
function build(other?: string, more: Readonly<Record<string, string>> = {}): Finished {
  const plugins = other === undefined ? "tenon()" : "other, tenon()";
  const config = `import tenon from "tenon/rollup";
${other ?? ""}export default { input: "src/service.ts", output: { dir: "dist" }, plugins: [${plugins}] };
`;
  user = packedProject({ ...files, ...more, "rollup.config.mjs": config }, { packages: ["rollup"] });
  return user.node(["node_modules/rollup/dist/bin/rollup", "-c", "--silent"]);
}

function described(): unknown {
  const { stdout, stderr } = user?.node([join("dist", "service.mjs"), "--print-service-description"]) ?? {};
  return stderr === "" ? JSON.parse(stdout ?? "") : stderr;
}

describe("Rollup", () => {
  test.each([
    ["alone", undefined, "Sums"],
    ["beside a plugin that compiles in `transform`", compiler("esbuild", "transform"), "Sums"],
    ["beside @rollup/plugin-typescript, which compiles in `load`", compiler("typescript", "load"), "Sums"],
    ["beside a plugin that changes texts", renames, "Totals"],
  ])("%s", (_name, other, name) => {
    expect(build(other)).toEqual({ status: 0, stdout: "", stderr: "" });
    expect(described()).toMatchObject({ name, tools: [{ name: "add" }] });
    // Types do not stay as comparisons.
    expect(readFileSync(join(user?.root ?? "", "dist/service.mjs"), "utf8")).toMatch(/first\(a\) \+ b/);
  });

  test("says that another plugin has compiled a file first", () => {
    const { status, stderr } = build(compiler("own", "load"));
    expect(status).toBe(1);
    expect(stderr).toMatch(/src\/add\.ts:8:23  TN413/);
    expect(stderr).not.toMatch(/TN201|TN308/);
  });

  test("says what it cannot lower", () => {
    const { status, stderr } = build(undefined, {
      "src/service.ts": `${files["src/service.ts"]}{ using held = { [Symbol.dispose]() {} }; void held; }\n`,
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining("Add a plugin that compiles TypeScript")]);
  });
});
