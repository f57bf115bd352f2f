import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type Checked, openProjectChecks, type ProjectChecks } from "../../../../cli/lsp/project-checks.ts";
import { compileProject } from "../../../../plugin/index.ts";
import { type Chance, createChance } from "../../../chaos/chance.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

/** Number of random edits; `EDITS=1000` is the long form. */
const edits = Number(process.env["EDITS"] ?? 30);

const files: Readonly<Record<string, string>> = {
  "package.json": '{ "name": "edited", "type": "module", "version": "1.0.0" }',
  "tsconfig.json": '{ "compilerOptions": { "strict": true } }',
  "src/service.ts": `import { Service, startLambdaServer } from "tenon";
import "./order.js";
import "./count.js";

await startLambdaServer(new Service({ name: "Orders", description: "Takes orders." }));
`,
  "src/order.ts": `import type { Line } from "./types.js";

/** An order. @schema urn:edited:schema.order.1 */
export interface Order {
  /** Its lines. @minItems 1 */
  lines: Line[];
  /** When it is wanted. */
  when?: Date;
}

/**
 * Takes an order.
 * @tool
 * @idempotent
 */
export function order(request: Order): number {
  return request.lines.length;
}
`,
  "src/count.ts": `import { kinds, type Line } from "./types.js";

/** Lines. @schema urn:edited:schema.lines.1 */
export interface Lines {
  /** All of them. */
  all: readonly Line[];
}

/**
 * Counts lines of a kind.
 * @tool
 * @readonly
 */
export function count(request: Lines): number {
  return request.all.filter(({ kind }) => kind === kinds[0]).length;
}
`,
  "src/types.ts": `/** Kinds of lines. */
export const kinds = ["one", "many"] as const;

/** A line of an order. @schema urn:edited:schema.line.1 */
export interface Line {
  /** Its kind. */
  kind: (typeof kinds)[number];
  /** Amount. @type uint32 @minimum 1 */
  amount: number;
}
`,
};
const words = [
  ["number", "() => void"],
  ["@minimum 1", "@minimun 1"],
  ["@schema urn:edited:schema.line.1", ""],
  ["@tool", "@tol"],
  ["Date", "RegExp"],
  ["@minItems 1", "@minItems one"],
  ["import type { Line }", "import { type Line }"],
  ['import "./count.js";', ""],
  ["export function", "function"],
  ["/** Amount. @type uint32 @minimum 1 */", ""],
  ["amount: number", "amount: bigint"],
  ["(request: Lines)", "<T>(request: T)"],
  [".filter(", ".filtr(("],
] as const;

/** A text with one change, or as it was at the beginning. */
function edited(path: string, text: string, random: Chance): string {
  if (random.happens(0.25)) return files[path] ?? text;
  const fitting = words.filter(([from]) => text.includes(from));
  const [from, to] = fitting[random.below(fitting.length)] ?? ["", ""];
  if (from !== "" && random.happens(0.7)) return text.replace(from, to);
  const at = random.below(text.length);
  return random.happens(0.5) ? text.slice(0, at) + text.slice(at + 1) : `${text.slice(0, at)}x${text.slice(at)}`;
}

const opened: ProjectChecks[] = [];
afterAll(() => opened.forEach((project) => project.dispose()));

test("a tool that the unsaved entry imports no longer is found, and its fix fits the unsaved text", async () => {
  const root = temporaryFolder(files);
  const entry = join(root, "src/service.ts");
  let last: Checked | undefined;
  const checks = openProjectChecks({
    root,
    near: root,
    entry,
    checked: (checked) => (last = checked),
    log: (line) => expect.fail(line),
  });
  opened.push(checks);
  const unsaved = (files["src/service.ts"] ?? "").replace('import "./count.js";\n', "");
  checks.edit(entry, unsaved);
  checks.edit(join(root, "src/count.ts"), `\n\n${files["src/count.ts"]}`);
  await checks.settled();
  const found = last?.diagnostics.find(({ code }) => code === "TN410");
  expect(found).toMatchObject({ file: "src/count.ts", line: 16, edit: { offset: unsaved.indexOf("\nawait") } });
});

test(
  `after each of ${edits} random edits the findings are those of tenon check`,
  async () => {
    const [root, saved] = [temporaryFolder(files), temporaryFolder(files)];
    let last: Checked | undefined;
    const checks = openProjectChecks({
      root,
      near: root,
      entry: join(root, "src/service.ts"),
      checked: (checked) => (last = checked),
      log: (line) => expect.fail(line),
    });
    opened.push(checks);
    const random = createChance(20261124);
    const paths = Object.keys(files).filter((path) => path.startsWith("src/"));
    const texts = new Map(Object.entries(files));
    const typed = new Set<string>();
    let differing = 0;
    for (let number = 0; number < edits; number++) {
      const path = paths[random.below(paths.length)] ?? "src/order.ts";
      const text = edited(path, texts.get(path) ?? "", random);
      texts.set(path, text);
      typed.add(path);
      checks.edit(join(root, path), text);
      writeFileSync(join(saved, path), text);
      await checks.settled();
      const { diagnostics, dependencies } = await compileProject({
        root: saved,
        entry: "src/service.ts",
        cache: false,
      });
      const found = last?.diagnostics ?? [];
      expect(found.slice(0, diagnostics.length), `edit ${number} of ${path}:\n${text}`).toEqual(diagnostics);
      // Open documents that the entry does not reach are read by themselves, and have findings as well.
      const isWhole = [...typed].every((one) => dependencies.includes(join(saved, one)));
      expect(isWhole && found.length !== diagnostics.length).toBe(false);
      if (diagnostics.length > 0) differing++;
    }
    // A test whose edits change nothing would prove nothing.
    expect(differing).toBeGreaterThan(edits / 4);
  },
  Math.max(300_000, edits * 5_000),
);
