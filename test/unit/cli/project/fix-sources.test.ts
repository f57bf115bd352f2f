import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fixSources, type WrittenFix } from "../../../../cli/project/fix-sources.ts";
import { compileProject } from "../../../../plugin/index.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

async function fix(source: string): Promise<{ text: string; fixes: readonly WrittenFix[]; left: readonly string[] }> {
  const root = temporaryFolder();
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "package.json"), '{ "name": "@acme/tools", "type": "module" }');
  const entry = join(root, "src/tool.ts");
  writeFileSync(entry, source);
  const fixes = await fixSources({ root, entry });
  const { diagnostics } = await compileProject({ root, entry });
  return { text: readFileSync(entry, "utf8"), fixes, left: diagnostics.map(({ code }) => code) };
}

describe("tenon generate --fix", () => {
  test("writes markers, leaves texts to the author, and tells each", async () => {
    const { text, fixes, left } = await fix(`export interface AddRequest {
  left: number;
  /** @minimum 0 */
  right: number;
  /**
   * @maximum 9
   */
  digits?: number;
}

/** The sum. */
export interface Sum { value: number }

/** @tool */
export function add(request: AddRequest): Sum {
  return { value: request.left + request.right };
}

/**
 * @tool
 */
export function sum(left: number, right: number): number {
  return left + right;
}
`);
    expect(text).toBe(`/** @schema urn:acme:schema.add.request.1 */
export interface AddRequest {
  left: number;
  /** @minimum 0 */
  right: number;
  /**
   * @maximum 9
   */
  digits?: number;
}

/** The sum. @schema urn:acme:schema.sum.1 */
export interface Sum { value: number }

/** @tool */
export function add(request: AddRequest): Sum {
  return { value: request.left + request.right };
}

/**
 * @tool
 */
export function sum(left: number, right: number): number {
  return left + right;
}
`);
    expect([...new Set(left)].toSorted()).toEqual(["TN202", "TN203"]);
    expect(fixes).toHaveLength(2);
    expect(fixes).toContainEqual({
      file: "src/tool.ts",
      line: 1,
      code: "TN201",
      text: "/** @schema urn:acme:schema.add.request.1 */",
    });
  });

  test("a model that two tools share is marked once; a second run writes nothing", async () => {
    const source = `interface Point { /** X. */ x: number; /** Y. */ y: number }
/** Moves. @tool */
export function move(point: Point): Point {
  return point;
}
/** Turns. @tool */
export function turn(point: Point): Point {
  return point;
}
`;
    const { text, fixes, left } = await fix(source);
    expect(text).toBe(`/** @schema urn:acme:schema.point.1 */\n${source}`);
    expect(fixes).toHaveLength(1);
    expect(left).toEqual([]);
    expect((await fix(text)).fixes).toEqual([]);
  });

  test("a byte order mark stays where it is", async () => {
    const { text } = await fix(
      "\uFEFFexport interface A { /** B. */ b: string }\n/** Takes. @tool */\nexport function take(a: A): void {\n  void a;\n}\n",
    );
    expect(text.split("\n")[1]).toBe("export interface A { /** B. */ b: string }");
    expect(text.split("\n")[0]).toBe("\uFEFF/** @schema urn:acme:schema.a.1 */");
  });
});
