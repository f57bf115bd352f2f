import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { codes } from "../plugin/diagnostics/codes.ts";
import type { CompiledModule } from "../plugin/compile/compiled-module.ts";
import type { Diagnostic } from "../plugin/diagnostics/diagnostic.ts";
import { compileModule } from "../plugin/compile/compile-module.ts";
import { formatReport } from "../plugin/diagnostics/format.ts";
import { withoutLostTypes } from "../plugin/compile/lost-types.ts";
import { linkModules } from "../plugin/compile/outcome/link.ts";
import { conclude } from "../plugin/compile/outcome/outcome.ts";
import { createPackages } from "../plugin/packages/packages.ts";
import { openSession } from "../plugin/compile/session.ts";
import { largeModule } from "./support/large-types.ts";
import { openProject } from "./support/open-project.ts";
import type { ReadOptions, SourceProject } from "../plugin/read/open-project.ts";
import { openViewStore, readViews } from "../plugin/compile/view-store.ts";
import { textDiagnostics } from "../plugin/compile/outcome/with-texts.ts";
import { makeServiceFile } from "../plugin/compile/outcome/service-file.ts";
import { createUnreachedTools } from "../plugin/packages/unreached-tools.ts";
import { readSkills } from "../plugin/skills/read-skills.ts";
import type { TokenBudget } from "../plugin/texts/over-budget.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const folder = join(import.meta.dirname, "diagnostics");
const update = process.env["UPDATE"] !== undefined;
const cases = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

/** `case.json`: what a case needs beside its `tool.ts`. */
interface CaseSettings {
  readonly options?: Partial<ReadOptions>;
  /** Another file than `tool.ts`. */
  readonly file?: string;
  /** Modules that import one another in a row, made for the case. */
  readonly chain?: number;
  /** Levels of a type that is made for the case. */
  readonly levels?: number;
  /** Name of a large type that is made for the case (`support/large-types.ts`). */
  readonly large?: string;
  /** Make the service definition as well, from what lies beside `tool.ts`. */
  readonly serviceFile?: true;
  /** Put the module together, as at the end of a build. */
  readonly linked?: true;
  /** Look for tools that the service in `service.ts` does not import. */
  readonly unreached?: true;
  /** Look for tools in JavaScript, and for functions without a mark, among what `service.ts` imports. */
  readonly reached?: true;
  /** The bundler hands over `handed.txt`, in which another plugin has compiled the file. */
  readonly compiledFirst?: true;
  /** Bundle the views of the tools as well. */
  readonly views?: true;
  /** Read the skills beside it. */
  readonly skills?: true;
  /** Judge the texts of the tools as well. */
  readonly texts?: true;
  /** Tokens that its tools may take. */
  readonly budget?: TokenBudget;
  /** A whole build, beside the `service.json` of the one before. */
  readonly concluded?: true;
}

// Compiled at once; each file that comes later would make a program of its own.
const roots = cases.map((name) => join(folder, name, "tool.ts")).filter((file) => existsSync(file));
const shared = openProject({ root: folder, roots });
const full = openProject({ root: folder, roots, lean: false });
afterAll(() => {
  shared.dispose();
  full.dispose();
});

function settingsOf(name: string): CaseSettings {
  const path = join(folder, name, "case.json");
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as CaseSettings) : {};
}

function diagnose(name: string): Promise<readonly Diagnostic[]> | readonly Diagnostic[] {
  const { options, file = "tool.ts", chain, levels, serviceFile, linked, unreached, ...more } = settingsOf(name);
  const { large, concluded, compiledFirst, views, skills, reached, texts, budget } = more;
  if (texts === true || budget !== undefined) return diagnoseTexts(join(folder, name, file), texts === true, budget);
  if (views === true) return diagnoseViews(join(folder, name, file));
  if (skills === true) return diagnoseSkills(join(folder, name));
  if (compiledFirst === true) return diagnoseCompiled(join(folder, name));
  if (chain !== undefined) return diagnoseChain(chain);
  if (levels !== undefined) return diagnoseNested(levels);
  if (large !== undefined) return diagnoseLarge(large);
  if (unreached === true) return diagnoseUnreached(join(folder, name));
  if (reached === true) return diagnoseReached(join(folder, name));
  if (serviceFile === true) return diagnoseServiceFile(name);
  if (concluded === true) return diagnoseBuild(name);
  if (linked === true) return diagnoseLinked(join(folder, name, file));
  const read = (project: SourceProject): readonly Diagnostic[] => project.read(join(folder, name, file)).diagnostics;
  if (options === undefined) return read(shared);
  const own = openProject({ root: folder, ...options });
  try {
    return read(own);
  } finally {
    own.dispose();
  }
}

function diagnoseTexts(file: string, isComplete: boolean, budget: TokenBudget = {}): readonly Diagnostic[] {
  const modules = [compileModule(shared, file, readFileSync(file, "utf8")).result];
  const textOf = (one: string): string => readFileSync(one, "utf8");
  return textDiagnostics({ modules, options: { budget }, isComplete, root: folder, textOf });
}

async function diagnoseViews(file: string): Promise<readonly Diagnostic[]> {
  const { result } = compileModule(shared, file, readFileSync(file, "utf8"));
  const store = openViewStore(folder, { cache: false });
  await readViews(store, [result]);
  return [...result.diagnostics, ...store.diagnostics([result])];
}

async function diagnoseSkills(root: string): Promise<readonly Diagnostic[]> {
  return (await readSkills(root, root)).diagnostics;
}

function diagnoseChain(length: number): readonly Diagnostic[] {
  const root = temporaryFolder();
  for (let n = 0; n < length; n += 1) writeFileSync(join(root, `m${n}.ts`), `import "./m${n + 1}.ts";\n`);
  return withLittleStack(() => openProject({ root }).read(join(root, "m0.ts")).diagnostics);
}

function diagnoseNested(levels: number): readonly Diagnostic[] {
  const type = `${"{ a: ".repeat(levels)}string${" }".repeat(levels)}`;
  const file = join(temporaryFolder(), "tool.ts");
  writeFileSync(file, `/** @tool */\nexport function nested(request: ${type}): void {}\n`);
  return withLittleStack(() => openProject({ root: dirname(file) }).read(file).diagnostics);
}

function diagnoseLarge(type: string): readonly Diagnostic[] {
  const file = join(temporaryFolder(), "tool.ts");
  const text = largeModule(type);
  writeFileSync(file, text);
  const project = openProject({ root: dirname(file) });
  try {
    return compileModule(project, file, text).result.diagnostics;
  } finally {
    project.dispose();
  }
}

/** Calls a function with a sixth of the stack left, since frames get smaller once the compiler is warm. */
function withLittleStack<T>(run: () => T): T {
  const frames = 1500;
  let result: { readonly value: T } | undefined;
  const descend = (): number => {
    let toTheEnd = 0;
    try {
      toTheEnd = descend() + 1;
    } catch {
      return 0;
    }
    if (toTheEnd === frames) result = { value: run() };
    return toTheEnd;
  };
  descend();
  if (result === undefined) throw new Error("The stack is smaller than that.");
  return result.value;
}

function diagnoseLinked(file: string): readonly Diagnostic[] {
  return linkModules([compileModule(shared, file, readFileSync(file, "utf8")).result]).diagnostics;
}

function diagnoseUnreached(root: string): readonly Diagnostic[] {
  const service = join(root, "service.ts");
  const loaded = new Set([service, join(root, "imported.ts")]);
  return createUnreachedTools()({ root, service, loaded });
}

async function diagnoseReached(root: string): Promise<readonly Diagnostic[]> {
  const session = openSession({ entry: join(root, "service.ts"), root, cache: false, service: false });
  const { diagnostics } = await session.compile();
  session.dispose();
  return diagnostics;
}

async function diagnoseCompiled(root: string): Promise<readonly Diagnostic[]> {
  const compile = async (file: string, text: string): Promise<CompiledModule> =>
    compileModule(shared, file, text).result;
  const [file, text] = [join(root, "tool.ts"), readFileSync(join(root, "handed.txt"), "utf8")];
  return (await withoutLostTypes({ compile }, text, await compile(file, text))).diagnostics;
}

function diagnoseBuild(name: string): readonly Diagnostic[] {
  const file = join(folder, name, "tool.ts");
  const module = compileModule(shared, file, readFileSync(file, "utf8")).result;
  const options = { service: join(folder, name, "service.json") };
  return conclude({ modules: [module], entries: [file], options, packages: createPackages() }).diagnostics;
}

function diagnoseServiceFile(name: string): readonly Diagnostic[] {
  const { module, diagnostics } = shared.read(join(folder, name, "tool.ts"));
  if (module.service === undefined) return diagnostics;
  const made = makeServiceFile(
    { ...module.service, flavour: "lambda", file: module.file },
    { definitions: [], offers: [] },
    join(folder, name),
    "service.json",
  );
  return "code" in made ? [...diagnostics, made] : diagnostics;
}

test.each(cases)("%s", async (name) => {
  // The place where a stack overflows depends on the machine.
  const report = formatReport(await diagnose(name)).replace(/m\d{3,}\.ts/, "m<n>.ts");
  const path = join(folder, name, "expected.txt");
  if (update) writeFileSync(path, report);
  expect(report).toBe(readFileSync(path, "utf8"));
  expect(report).toContain(name.slice(0, 5));
});

test.each(cases.filter((name) => !existsSync(join(folder, name, "case.json"))))(
  "%s, in the full program",
  async (name) => {
    expect(full.read(join(folder, name, "tool.ts")).diagnostics).toEqual(await diagnose(name));
  },
);

describe("the table of codes", () => {
  test.each(Object.keys(codes))("%s has a case", (code) => {
    expect(cases.filter((name) => name.startsWith(`${code}-`))).not.toEqual([]);
  });

  test("every case is named after a code", () => {
    expect(cases.filter((name) => !Object.hasOwn(codes, name.slice(0, 5)))).toEqual([]);
  });
});
