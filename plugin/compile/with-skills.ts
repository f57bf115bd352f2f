import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { skillsKey } from "../../runtime/contract/skills-key.ts";
import { keyExpression } from "../../runtime/contract/process-keys.ts";
import { firstStatement } from "../emit/first-statement.ts";
import { startsService } from "../packages/find-tool-files.ts";
import type { CompiledModule } from "./compiled-module.ts";

/** The property of the process that holds the skills, as generated code accesses it. */
const skillsPlace = `globalThis[${keyExpression(skillsKey)}]`;

/**
 * Adds the skills beside the entry to the module that constructs the service. The skills are data inside a function,
 * which V8 compiles only when it is called.
 *
 * @param text The module's source.
 * @param entry Absolute path of the entry; if it is not known, the module itself.
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
  if (files.length === 0 && diagnostics.length === 0) return module;
  const data = JSON.stringify(skills).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
  return {
    ...module,
    insertions: [{ offset: firstStatement(text), text: `${skillsPlace}=()=>(${data});` }, ...module.insertions],
    diagnostics: [...module.diagnostics, ...diagnostics],
    dependencies: [...module.dependencies, ...files],
  };
}

/**
 * Removes skills of an earlier build, for processes that outlive a build: removed skills would otherwise stay there.
 */
export function withoutLastSkills(module: CompiledModule, text: string): CompiledModule {
  const forget = { offset: firstStatement(text), text: `delete ${skillsPlace};` };
  return { ...module, insertions: [forget, ...module.insertions] };
}
