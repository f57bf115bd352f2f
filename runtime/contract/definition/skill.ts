import type { JsonObject } from "../contract.ts";

/** One file of a skill, with size and digest by which clients check it. */
export interface SkillFile {
  readonly uri: string;
  /** Digest of the bytes: `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
  /** Size in bytes. */
  readonly size: number;
  readonly mimeType: string;
  /** The content: a text, or bytes as base64. */
  readonly text?: string;
  readonly blob?: string;
}

/** A skill in its bundled form: instructions for models, and the files to which these refer. */
export interface SkillDefinition {
  /** Address of its `SKILL.md`, such as `skill://primes/SKILL.md`. */
  readonly uri: string;
  /** The front matter of `SKILL.md`. */
  readonly frontmatter: JsonObject & { readonly name: string; readonly description: string };
  /** All files by address, `SKILL.md` included. */
  readonly files: readonly SkillFile[];
}

/** The address of a file of a skill. @param path Relative to the skill's folder, with forward slashes */
export function skillUri(name: string, path: string): string {
  return `skill://${[name, ...path.split("/")].map((segment) => encodeURIComponent(segment)).join("/")}`;
}
