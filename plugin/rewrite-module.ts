import { MagicString } from "magic-string";
import { entryMark, versionMark } from "./banner.ts";
import type { CompiledModule } from "./compiled-module.ts";
import { startsService } from "./find-tool-files.ts";
import { reportText } from "./report.ts";

/** A module with the generated text in it. */
export interface RewrittenModule {
  readonly code: string;
  readonly map: ReturnType<MagicString["generateMap"]> | null;
  /** Bundlers must not drop the module, whatever its package.json says. */
  readonly moduleSideEffects: true;
}

export interface RewriteOptions {
  /** The module itself can tell where the file is that it ends up in. */
  readonly markEntry: boolean;
  /** Version of the package that the service belongs to. */
  readonly version?: string;
  /** Whether anyone will read the source map; default true. */
  readonly sourcemap?: boolean;
}

/** What `rewriteModule` does. */
export type Rewrite = typeof rewriteModule;

/** Rewrites a module once: in watch mode bundlers ask again about each, and the source map costs more than all else. */
export function createRewriter(): Rewrite {
  const known = new WeakMap<CompiledModule, { readonly of: string; readonly rewritten: RewrittenModule | undefined }>();
  return (code, id, module, options) => {
    const of = `${id}\n${options.version ?? ""}\n${code}`;
    const before = known.get(module);
    if (before?.of === of) return before.rewritten;
    const rewritten = rewriteModule(code, id, module, options);
    known.set(module, { of, rewritten });
    return rewritten;
  };
}

/**
 * Adds what was generated to a module; undefined when there is nothing to add. No line moves. A module with errors gets
 * a statement that throws, because some bundlers write their output although the build failed.
 */
export function rewriteModule(
  code: string,
  id: string,
  module: CompiledModule,
  options: RewriteOptions,
): RewrittenModule | undefined {
  const text = new MagicString(code);
  if (startsService(code)) {
    const version = options.version === undefined ? "" : versionMark(options.version);
    text.appendLeft(firstStatement(code), `${options.markEntry ? entryMark : ""}${version}`);
  }
  for (const insertion of module.insertions) text.appendLeft(insertion.offset, insertion.text);
  const errors = module.diagnostics.filter(({ level }) => level === "error");
  if (errors.length > 0)
    text.append(`\nthrow new Error(${JSON.stringify(`This build failed.\n\n${reportText(errors)}`)});`);
  if (!text.hasChanged()) return undefined;
  return {
    code: text.toString(),
    map: options.sourcemap === false ? null : text.generateMap({ source: id, hires: "boundary", includeContent: true }),
    moduleSideEffects: true,
  };
}

function firstStatement(code: string): number {
  return code.startsWith("#!") ? code.indexOf("\n") + 1 || code.length : 0;
}
