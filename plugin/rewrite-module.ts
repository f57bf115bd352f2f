import MagicString from "magic-string";
import { entryMark } from "./banner.ts";
import type { CompiledModule } from "./compile.ts";
import { startsService } from "./find-tool-files.ts";
import { reportText } from "./report.ts";

/** A module with the generated text in it. */
export interface RewrittenModule {
  readonly code: string;
  readonly map: ReturnType<MagicString["generateMap"]>;
  /** Bundlers must not drop the module, whatever its package.json says. */
  readonly moduleSideEffects: true;
}

/**
 * Adds what was generated to a module; undefined when there is nothing to add. No line moves. A module with errors gets
 * a statement that throws, because some bundlers write their output although the build failed.
 */
export function rewriteModule(
  code: string,
  id: string,
  module: CompiledModule,
  options: { readonly markEntry: boolean },
): RewrittenModule | undefined {
  const text = new MagicString(code);
  if (options.markEntry && startsService(code)) text.appendLeft(firstStatement(code), entryMark);
  for (const insertion of module.insertions) text.appendLeft(insertion.offset, insertion.text);
  const errors = module.diagnostics.filter(({ level }) => level === "error");
  if (errors.length > 0) text.append(`\nthrow new Error(${JSON.stringify(`This build failed.\n\n${reportText(errors)}`)});`);
  if (!text.hasChanged()) return undefined;
  return {
    code: text.toString(),
    map: text.generateMap({ source: id, hires: "boundary", includeContent: true }),
    moduleSideEffects: true,
  };
}

function firstStatement(code: string): number {
  return code.startsWith("#!") ? code.indexOf("\n") + 1 || code.length : 0;
}
