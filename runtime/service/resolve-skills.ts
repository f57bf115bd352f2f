import type { SkillDefinition } from "../contract/definition/skill.ts";
import { skillsKey } from "../contract/skills-key.ts";

/** True when the build has found skills beside the entry. */
export function hasSkills(): boolean {
  return skillsKey in globalThis;
}

/** The skills of the service. They are compiled by this call, so it is for whoever lists or serves them. */
export function resolveSkills(): readonly SkillDefinition[] {
  return (globalThis as { readonly [skillsKey]?: () => readonly SkillDefinition[] })[skillsKey]?.() ?? [];
}
