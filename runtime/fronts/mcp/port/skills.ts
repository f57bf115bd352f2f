import type { SkillDefinition, SkillFile } from "../../../contract/definition/skill.ts";

/** Name of the extension in capabilities. */
export const skillsExtension = "io.modelcontextprotocol/skills";

/** A skill in lists: all of its files, with the data by which a client verifies them. */
export interface McpSkill extends Pick<SkillDefinition, "uri" | "frontmatter"> {
  readonly resources: readonly Pick<SkillFile, "uri" | "digest" | "size">[];
}

/** A file or a folder in a folder of a skill; folders have the media type `inode/directory`. */
export interface McpDirectoryEntry {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
  readonly size?: number;
}

/** The skills of a service. Their files are read as resources. */
export interface McpSkills {
  list(): readonly McpSkill[];
  /**
   * Returns a skill.
   *
   * @param uri Address of its `SKILL.md`.
   * @throws McpFault for an unknown skill
   */
  get(uri: string): McpSkill;
  /**
   * Lists the files and folders in a folder.
   *
   * @throws McpFault if the address is not that of a folder
   */
  directory(uri: string): readonly McpDirectoryEntry[];
}
