import { ts } from "ts-morph";
import type { Insertion } from "../../plugin/emit/insert-tools.ts";

/** The visitor's module with what the build adds to it. */
export interface ModuleText {
  readonly typescript: string;
  /** Makes the same as a CommonJS module, which the sandbox can run. */
  script(): string;
}

/** Inserts generated text into a source. */
export function moduleText(source: string, insertions: readonly Insertion[]): ModuleText {
  let [typescript, end] = ["", 0];
  for (const { offset, text } of insertions.toSorted((a, b) => a.offset - b.offset)) {
    typescript += source.slice(end, offset) + text;
    end = offset;
  }
  typescript += source.slice(end);
  const options = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2024, esModuleInterop: true };
  return { typescript, script: () => ts.transpileModule(typescript, { compilerOptions: options }).outputText };
}
