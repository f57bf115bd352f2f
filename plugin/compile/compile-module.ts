import type { CompiledModule } from "./compiled-module.ts";
import { insertAsks } from "../emit/ask-form.ts";
import { insertSchemaDecorators } from "../emit/insert-schema-decorators.ts";
import { insertStatements } from "../emit/insert-tools.ts";
import { emitKept } from "../emit/kept-codecs.ts";
import { emitTool } from "../emit/tool-module.ts";
import { isOwnFile } from "../packages/own-module.ts";
import type { SourceProject } from "../read/open-project.ts";
import type { ReadingInputs } from "../read/project/reading-inputs.ts";

/** A compiled module and its inputs. */
export interface Compiled {
  readonly result: CompiledModule;
  readonly inputs: ReadingInputs | undefined;
}

/** Source text → model → generated text. Loaded with the compiler: a build without changes needs neither. */
export function compileModule(project: SourceProject, file: string, text: string): Compiled {
  const { module: model, diagnostics: found, dependencies: all, inputs } = project.read(file, text);
  const emitted = model.tools.map((tool) => emitTool(tool));
  const diagnostics = [...found, ...emitted.flatMap((tool) => tool.diagnostics)];
  const failed = diagnostics.some(({ level }) => level === "error");
  const statements = model.tools.flatMap((tool, index) => {
    const made = emitted[index];
    return made === undefined ? [] : [{ offset: tool.insertion.offset, code: made.code, imports: made.imports }];
  });
  const kept = model.kept === undefined || failed ? undefined : emitKept(model.kept);
  const result: CompiledModule = {
    file,
    model,
    ...(model.stdio && { stdio: model.stdio }),
    ...(model.service && { hasService: true as const }),
    insertions: failed
      ? []
      : [
          ...insertStatements(text, [...statements, ...(kept === undefined ? [] : [kept.statement])], kept?.calls),
          ...insertAsks(model.asks ?? []),
          ...insertSchemaDecorators(text, model.schemaDecorators ?? []),
        ],
    tools: model.tools.flatMap((tool, index) => {
      const made = emitted[index];
      return made === undefined ? [] : [{ model: tool, definition: made.definition, code: made.code }];
    }),
    diagnostics,
    // Tenon's own files are left out, since they change only with the package.
    dependencies: all.filter((one) => !isOwnFile(one)),
  };
  return { result, inputs };
}
