import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, type Dirent } from "node:fs";
import { join, relative, sep } from "node:path";
import { skillUri, type SkillDefinition, type SkillFile } from "../../runtime/contract/definition/skill.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { checkFiles, checkFrontmatter, type Frontmatter } from "./check-skill.ts";
import { mediaType } from "./media-type.ts";

/** The skills of a service. */
export interface Skills {
  /** Skills without a finding, by URI. */
  readonly skills: readonly SkillDefinition[];
  readonly diagnostics: readonly Diagnostic[];
  /** Absolute paths of all files of the skills. */
  readonly files: readonly string[];
}

const manifest = "SKILL.md";
const markdown = /\.md$/i;
const code = /\.[cm]?[jt]sx?$/;

/**
 * Reads `skills/<name>/SKILL.md` and the files beside it. Ignored are hidden files, and folders that the author uses
 * for something else: without Markdown, or with code and no `SKILL.md`.
 *
 * @param folder Absolute path of the folder with `skills`.
 * @param root Absolute path of the project, to which findings are relative.
 */
export async function readSkills(folder: string, root: string): Promise<Skills> {
  const all = join(folder, "skills");
  const entries = existsSync(all) ? entriesIn(all) : [];
  const isLinked = lstatSync(all, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  const links = entries
    .filter((entry) => isLinked || entry.isSymbolicLink())
    .map(({ name }) => join(all, name))
    .filter((path) => existsSync(join(path, manifest)));
  const names = isLinked ? [] : entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const read = await Promise.all(names.map((name) => readSkill(join(all, name), name, root)));
  const skills = read.flatMap(({ skill }) => skill ?? []);
  return {
    skills: skills.toSorted((a, b) => (a.uri < b.uri ? -1 : 1)),
    diagnostics: [...links.map((link) => linkFinding(link, root)), ...read.flatMap(({ diagnostics }) => diagnostics)],
    files: read.flatMap(({ files }) => files),
  };
}

const beginning = "a skill begins with `---`, `name: <name of its folder>`, `description: <when to use it>`, `---`";

function linkFinding(path: string, root: string): Diagnostic {
  const file = relative(root, path).replaceAll(sep, "/");
  return {
    code: "TN414",
    level: "error",
    message: `\`${file}\` is a link or not a file, and is not followed: what it leads to would be served to every caller.`,
    fix: "copy what it leads to, or begin its name with a dot to leave it out",
    file,
  };
}

interface ReadSkill {
  readonly skill?: SkillDefinition;
  readonly diagnostics: readonly Diagnostic[];
  readonly files: readonly string[];
}

async function readSkill(folder: string, name: string, root: string): Promise<ReadSkill> {
  const { paths, others } = findIn(folder);
  const all = [...paths, ...others];
  const isMeant = all.some((path) => /^skill\.md$/i.test(path)) || !all.some((path) => code.test(path));
  if (!isMeant || !all.some((path) => markdown.test(path))) return { diagnostics: [], files: [] };
  const files = paths.map((path) => join(folder, path));
  const file = relative(root, join(folder, manifest)).replaceAll(sep, "/");
  const refuse = (findings: readonly Finding[]): ReadSkill => ({
    diagnostics: findings.map(({ message, line, fix = beginning }) => ({
      code: "TN414",
      level: "error",
      message,
      fix,
      file,
      ...(line !== undefined && { line, column: 1 }),
    })),
    files,
  });
  if (others.length > 0) return { diagnostics: others.map((path) => linkFinding(join(folder, path), root)), files };
  if (!paths.includes(manifest)) {
    return refuse([
      {
        message: `The folder \`skills/${name}\` has Markdown, and no \`${manifest}\`.`,
        fix: `name the file of instructions \`${manifest}\``,
      },
    ]);
  }
  const read = await readFrontmatter(readFileSync(join(folder, manifest)));
  if ("message" in read) return refuse([read]);
  const made = paths.map((path) => fileOf(name, path, readFileSync(join(folder, path))));
  const findings = [...checkFrontmatter(read.frontmatter, name), ...checkFiles(made)];
  if (findings.length > 0) return refuse(findings.map((message) => ({ message, line: 1 })));
  const frontmatter = read.frontmatter as SkillDefinition["frontmatter"];
  return { skill: { uri: skillUri(name, manifest), frontmatter, files: made }, diagnostics: [], files };
}

interface Finding {
  readonly message: string;
  readonly line?: number;
  readonly fix?: string;
}

/** Reads the front matter. The YAML parser is loaded on demand, since skills are rare. */
async function readFrontmatter(bytes: Buffer): Promise<{ readonly frontmatter: Frontmatter } | Finding> {
  const text = textOf(bytes);
  if (text === undefined) return { message: `\`${manifest}\` is not UTF-8.` };
  const [, yaml] = /^---\r?\n([\s\S]*?)^---[ \t]*\r?$/m.exec(text.replace(/^\uFEFF/, "")) ?? [];
  if (yaml === undefined || !/^\uFEFF?---/.test(text)) {
    return { message: `\`${manifest}\` has no front matter between two lines of \`---\`.`, line: 1 };
  }
  const { parseDocument } = await import("yaml");
  const document = parseDocument(yaml, { version: "1.2", schema: "core" });
  const [error] = [...document.errors, ...document.warnings];
  if (error !== undefined) {
    const line = (error.linePos?.[0].line ?? 0) + 1;
    return {
      message: `The front matter cannot be read: ${error.message.split("\n")[0]?.replace(/ at line.*/, "")}.`,
      line,
    };
  }
  const frontmatter: unknown = document.toJS();
  if (typeof frontmatter === "object" && frontmatter !== null && !Array.isArray(frontmatter))
    return { frontmatter: frontmatter as Frontmatter };
  return { message: "The front matter must give values to names.", line: 1 };
}

function fileOf(name: string, path: string, bytes: Buffer): SkillFile {
  const text = textOf(bytes);
  return {
    uri: skillUri(name, path),
    digest: `sha256:${createHash("sha256").update(bytes).digest("hex")}`,
    size: bytes.length,
    mimeType: mediaType(path),
    ...(text === undefined ? { blob: bytes.toString("base64") } : { text }),
  };
}

/** Decodes bytes as a text; undefined if encoding that text would not give the same bytes. */
function textOf(bytes: Buffer): string | undefined {
  const text = bytes.toString("utf8");
  return Buffer.from(text).equals(bytes) ? text : undefined;
}

/**
 * Lists the entries of a folder that are not hidden, sorted by name. Links are not followed, since they may lead out of
 * the project.
 */
function entriesIn(folder: string): readonly Dirent[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith("."))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

interface Found {
  /** Paths of files, relative to the folder, with forward slashes. */
  readonly paths: readonly string[];
  /** Paths of entries that are neither a file nor a folder: links, and pipes. */
  readonly others: readonly string[];
}

/** Finds all entries of a folder and its sub-folders. */
function findIn(folder: string, within = ""): Found {
  const [paths, others]: [string[], string[]] = [[], []];
  for (const entry of entriesIn(join(folder, within))) {
    const path = within === "" ? entry.name : `${within}/${entry.name}`;
    if (entry.isDirectory()) {
      const inner = findIn(folder, path);
      paths.push(...inner.paths);
      others.push(...inner.others);
    } else (entry.isFile() ? paths : others).push(path);
  }
  return { paths: paths.toSorted(), others };
}
