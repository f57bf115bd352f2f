import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolModel } from "../../plugin/model/tool.ts";
import { goldenTools } from "../support/golden-tools.ts";
import { openProject } from "../support/open-project.ts";

/** The folder of files whose exported types are the structures. */
export const structureFolder = join(import.meta.dirname, "../fixtures/types");

/** One exported type, read as the field `value` of a request and as items of a result. */
export interface Structure {
  /** For example `unions.Overlap`. */
  readonly name: string;
  readonly model: ToolModel;
  /** The whole request is the structure, and there is no result to go back by. */
  readonly whole?: true;
}

/** A file of structures. */
export interface StructureFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  /** Exported types without parameters. */
  readonly types: readonly string[];
}

const declaration = /^export (?:declare )?(?:abstract |const )?(?:type|interface|class|enum) (\w+)(?!\w*<)/gm;

export function structureFiles(): readonly StructureFile[] {
  const names = readdirSync(structureFolder).filter((name) => name.endsWith(".ts"));
  return names.toSorted().map((name) => {
    const path = join(structureFolder, name);
    const text = readFileSync(path, "utf8");
    return { path, text, types: [...text.matchAll(declaration)].flatMap(([, type]) => type ?? []) };
  });
}

/** The requests of the golden cases, as structures. */
export function goldenStructures(): readonly Structure[] {
  return goldenTools()
    .filter(({ model }) => model.request !== undefined)
    .map(({ model }) => ({ name: `golden.${model.name}`, model, whole: true }));
}

/** Reads every structure; a type that is refused fails, with the report. */
export function readStructures(files: readonly StructureFile[]): readonly Structure[] {
  const rules = {
    "missing-schema": "off",
    "missing-field-text": "off",
    "unknown-type": "off",
    "local-path": "off",
  } as const;
  const project = openProject({ root: structureFolder, roots: files.map(({ path }) => path), rules });
  try {
    return files.flatMap(({ path, text, types }) => {
      // A request around the structure, and a list as result, so that no URN becomes part of it.
      const probes = types.map(
        (type) =>
          `/** Probes. @tool */\nexport function probe_${type}(request: { value: ${type} }): ${type}[] {\n  return [request.value];\n}`,
      );
      const { module, diagnostics } = project.read(path, [text, ...probes, ""].join("\n"));
      const errors = diagnostics.filter(({ level }) => level === "error");
      if (errors.length > 0) throw new Error(errors.map((one) => `${one.file}:${one.line} ${one.message}`).join("\n"));
      const file = path.slice(structureFolder.length + 1).replace(/\.ts$/, "");
      return module.tools.map((tool) => ({ name: `${file}.${tool.name.slice("probe_".length)}`, model: tool }));
    });
  } finally {
    project.dispose();
  }
}
