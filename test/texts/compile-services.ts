import { join } from "node:path";
import type { ToolModel } from "../../plugin/model/tool.ts";
import { openProject } from "../support/open-project.ts";

/** Rules that have nothing to do with texts, and would hide what is tested. */
const rules = { "missing-schema": "off", "missing-field-text": "off" } as const;

/**
 * Reads services of one file each, with one program for all.
 *
 * @returns The tools of each, in order
 * @throws For a service with an error
 */
export function compileServices(services: readonly string[]): readonly (readonly ToolModel[])[] {
  const project = openProject({ root: import.meta.dirname, rules });
  const files = new Map(services.map((text, index) => [join(import.meta.dirname, `service-${index}.ts`), text]));
  for (const [file, text] of files) project.override(file, text);
  project.addRoots(files);
  try {
    return [...files.keys()].map((file) => {
      const { module, diagnostics } = project.read(file);
      const error = diagnostics.find(({ level }) => level === "error");
      if (error !== undefined) throw new Error(`${file}: ${error.code} ${error.message}`);
      return module.tools;
    });
  } finally {
    project.dispose();
  }
}
