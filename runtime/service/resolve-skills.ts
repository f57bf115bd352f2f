import type { SkillDefinition } from "../contract/definition/skill.ts";
import { skillsKey } from "../contract/skills-key.ts";

/** True when the build has found skills beside the entry file. */
export function hasSkills(): boolean {
  return skillsKey in globalThis;
}

/** The skills of the service. The call compiles them, so make it only to list or serve them. */
export function resolveSkills(): readonly SkillDefinition[] {
  return (globalThis as { readonly [skillsKey]?: () => readonly SkillDefinition[] })[skillsKey]?.() ?? [];
}
