import type { SkillDefinition } from "../../runtime/contract/definition/skill.ts";

/** Limits within which every host accepts a skill. */
const mostFiles = 512;
const mostBytes = 16 * 1024 * 1024;

/** A front matter before it is checked. */
export type Frontmatter = Readonly<Record<string, unknown>>;

/**
 * Checks a front matter by the rules of the skill format. Returns a sentence for each problem.
 *
 * @param folder Name of the skill's folder
 */
export function checkFrontmatter(given: Frontmatter, folder: string): readonly string[] {
  const { name, description, compatibility, metadata } = given;
  const found: string[] = [];
  if (typeof name !== "string") found.push("The front matter has no `name`.");
  else if (!/^[\da-z]+(?:-[\da-z]+)*$/.test(name) || name.length > 64) {
    found.push(`The name ${JSON.stringify(name)} must be lower-case letters, digits and single hyphens, 64 at most.`);
  } else if (name !== folder) {
    found.push(`The name is ${JSON.stringify(name)}, and the folder ${JSON.stringify(folder)}: they must be the same.`);
  }
  if (typeof description !== "string" || description.trim() === "") {
    found.push("The front matter has no `description`, by which a model decides if it reads the skill.");
  } else if (lengthOf(description) > 1024) {
    found.push(`The description has ${lengthOf(description)} characters; 1024 are allowed.`);
  }
  if (compatibility !== undefined && !isText(compatibility, 500)) {
    found.push("`compatibility` must be a text of at most 500 characters.");
  }
  if (metadata !== undefined) found.push(...checkMetadata(metadata));
  return found;
}

function checkMetadata(metadata: unknown): readonly string[] {
  const entries = typeof metadata === "object" && metadata !== null ? Object.entries(metadata) : undefined;
  if (entries === undefined || Array.isArray(metadata) || entries.some(([, value]) => typeof value !== "string")) {
    return ["`metadata` must give texts to names."];
  }
  const reserved = entries.find(([key]) => key.startsWith("io.modelcontextprotocol/"))?.[0];
  return reserved === undefined ? [] : [`\`metadata\` has the key ${JSON.stringify(reserved)}, which is reserved.`];
}

/** The limits of the format for the files of a skill. */
export function checkFiles(files: SkillDefinition["files"]): readonly string[] {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return [
    ...(files.length > mostFiles ? [`The skill has ${files.length} files; hosts take ${mostFiles}.`] : []),
    ...(bytes > mostBytes ? [`The skill has ${(bytes / 1024 / 1024).toFixed(1)} MiB; hosts take 16.`] : []),
  ];
}

function isText(value: unknown, most: number): boolean {
  return typeof value === "string" && value !== "" && lengthOf(value) <= most;
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}
