import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { skillsKey } from "../../runtime/contract/skills-key.ts";
import { keyExpression } from "../../runtime/contract/process-keys.ts";
import { firstStatement } from "../emit/first-statement.ts";
import { startsService } from "../packages/find-tool-files.ts";
import type { CompiledModule } from "./compiled-module.ts";

/** The place of the skills in the process, as generated code names it. */
const skillsPlace = `globalThis[${keyExpression(skillsKey)}]`;

/**
 * A module that makes the service, with the skills that lie beside its entry. They are data in a function, which is
 * compiled when somebody asks for them.
 *
 * @param text The module's source.
 * @param entry Absolute path of the entry; the module itself, if it is not known.
 * @param root Absolute folder of the project.
 */
export async function withSkills(
  module: CompiledModule,
  text: string,
  entry: string,
  root: string,
): Promise<CompiledModule> {
  if (!startsService(text) || !existsSync(join(dirname(entry), "skills"))) return module;
  const { readSkills } = await import("../skills/read-skills.ts");
  const { skills, diagnostics, files } = await readSkills(dirname(entry), root);
  if (files.length === 0) return module;
  const data = JSON.stringify(skills).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
  return {
    ...module,
    insertions: [{ offset: firstStatement(text), text: `${skillsPlace}=()=>(${data});` }, ...module.insertions],
    diagnostics: [...module.diagnostics, ...diagnostics],
    dependencies: [...module.dependencies, ...files],
  };
}

/** A module that makes the service in a process that outlives a build: skills that were removed would stay. */
export function withoutLastSkills(module: CompiledModule, text: string): CompiledModule {
  const forget = { offset: firstStatement(text), text: `delete ${skillsPlace};` };
  return { ...module, insertions: [forget, ...module.insertions] };
}
