import type { SourceMap } from "magic-string";
import { entryMark, type ModuleKind, packageMark } from "./banner.ts";
import type { CompiledModule } from "../compile/compiled-module.ts";
import { firstStatement } from "../emit/first-statement.ts";
import type { Insertion } from "../emit/insert-tools.ts";
import { startsService } from "../packages/find-tool-files.ts";
import type { PackageFacts } from "../packages/packages.ts";
import { mapInsertions } from "./map-insertions.ts";
import { reportText } from "./report.ts";

/** A module to which generated text was added. */
export interface RewrittenModule {
  readonly code: string;
  readonly map: SourceMap | null;
  /** Bundlers must not drop the module, even if its package.json allows it. */
  readonly moduleSideEffects: true;
}

export interface RewriteOptions {
  /** Kind of the file into which the module is bundled; set if the module records that file. */
  readonly entry?: ModuleKind;
  /** Data of the service's package that the bundle records. */
  readonly mark?: PackageFacts;
  /** False if the source map is not used; default true. */
  readonly sourcemap?: boolean;
}

/** Signature of {@link rewriteModule}, which a cache around it has, too. */
export type Rewrite = typeof rewriteModule;

/**
 * Creates a cache of rewritten modules: in watch mode bundlers request each module again, and its source map is
 * expensive.
 */
export function createRewriter(): Rewrite {
  const known = new WeakMap<CompiledModule, { readonly of: string; readonly rewritten: ReturnType<Rewrite> }>();
  return (code, id, module, options) => {
    const of = [id, options.sourcemap !== false, packageMark(options.mark ?? {}), code].join("\n");
    const before = known.get(module);
    if (before?.of === of) return before.rewritten;
    const rewritten = rewriteModule(code, id, module, options);
    known.set(module, { of, rewritten });
    return rewritten;
  };
}

/**
 * Adds generated text to a module; undefined when there is none. Line numbers do not change. A module with errors gets
 * a statement that throws, because some bundlers write their output after a failed build.
 */
export async function rewriteModule(
  code: string,
  id: string,
  module: CompiledModule,
  options: RewriteOptions,
): Promise<RewrittenModule | undefined> {
  const given = [...startMarks(code, options), ...module.insertions];
  const errors = module.diagnostics.filter(({ level }) => level === "error");
  if (errors.length > 0) {
    const text = `\nthrow new Error(${JSON.stringify(`This build failed.\n\n${reportText(errors)}`)});`;
    given.push({ offset: code.length, text });
  }
  if (given.length === 0) return undefined;
  const insertions = given.toSorted((one, other) => one.offset - other.offset);
  return {
    code: insertAll(code, insertions),
    map: options.sourcemap === false ? null : await mapInsertions(code, id, insertions),
    moduleSideEffects: true,
  };
}

function startMarks(code: string, { mark = {}, entry }: RewriteOptions): readonly Insertion[] {
  if (!startsService(code)) return [];
  const text = `${entry === undefined ? "" : entryMark(entry)}${packageMark(mark)}`;
  return text === "" ? [] : [{ offset: firstStatement(code), text }];
}

function insertAll(code: string, insertions: readonly Insertion[]): string {
  let [text, end] = ["", 0];
  for (const insertion of insertions) {
    text += code.slice(end, insertion.offset) + insertion.text;
    end = insertion.offset;
  }
  return text + code.slice(end);
}
