import type { SkillDefinition, SkillFile } from "../../../contract/definition/skill.ts";
import type { McpResourceDescriptor } from "../port/descriptors.ts";
import { faultCodes, McpFault } from "../port/fault.ts";
import type { McpResources } from "../port/port.ts";
import { noResources } from "./resources.ts";
import type { McpDirectoryEntry, McpSkill, McpSkills } from "../port/skills.ts";

/** The skills of a service, and its resources including the files of the skills. */
export interface ServedSkills {
  readonly skills: McpSkills;
  readonly resources: McpResources;
}

/**
 * Serves skills (SEP-2640). Their files are resources: `SKILL.md` is listed among them, so that clients without the
 * extension can read it as well.
 *
 * @param resources The functions with `@resource`.
 */
export function serveSkills(skills: readonly SkillDefinition[], resources: McpResources = noResources): ServedSkills {
  const files = new Map(skills.flatMap((skill) => skill.files.map((file) => [file.uri, file] as const)));
  const entries = new Map(skills.map((skill) => [skill.uri, entryOf(skill)]));
  const listed = skills.flatMap(listedAs);
  const directories = directoriesOf([...files.values()]);
  return {
    skills: {
      list: () => [...entries.values()],
      get: (uri) => entries.get(canonical(uri)) ?? fail(`No skill is served at ${uri}`),
      directory: (uri) =>
        directories.get(canonical(uri).replace(/\/$/, "")) ?? fail(`${uri} is not a directory resource`),
    },
    resources: {
      ...resources,
      list(cursor, scopes) {
        const page = resources.list(cursor, scopes);
        return page.nextCursor === undefined ? { resources: [...page.resources, ...listed] } : page;
      },
      async read(uri, context) {
        const file = files.get(canonical(uri));
        return file === undefined ? resources.read(uri, context) : { contents: [contentOf(file, uri)] };
      },
      check: (uri) => {
        if (!files.has(canonical(uri))) resources.check(uri);
      },
    },
  };
}

function entryOf({ uri, frontmatter, files }: SkillDefinition): McpSkill {
  return { uri, frontmatter, resources: files.map(({ uri: file, digest, size }) => ({ uri: file, digest, size })) };
}

function listedAs({ uri, frontmatter, files }: SkillDefinition): readonly McpResourceDescriptor[] {
  const { name, description } = frontmatter;
  return files
    .filter((file) => file.uri === uri)
    .map(({ mimeType, size }) => ({ uri, name, description, mimeType, size }));
}

function contentOf(
  { mimeType, text, blob = "" }: SkillFile,
  uri: string,
): { uri: string; mimeType: string } & ({ text: string } | { blob: string }) {
  return { uri, mimeType, ...(text === undefined ? { blob } : { text }) };
}

/** The children of every folder of a skill, by the folder's address. */
function directoriesOf(files: readonly SkillFile[]): ReadonlyMap<string, readonly McpDirectoryEntry[]> {
  const found = new Map<string, Map<string, McpDirectoryEntry>>();
  const add = (uri: string, entry: Omit<McpDirectoryEntry, "uri" | "name">): void => {
    const end = uri.lastIndexOf("/");
    const parent = uri.slice(0, end);
    const children = found.get(parent) ?? new Map<string, McpDirectoryEntry>();
    const isNew = !found.has(parent);
    found.set(parent, children.set(uri, { uri, name: decodeURIComponent(uri.slice(end + 1)), ...entry }));
    // The slashes of `skill://` do not separate folders.
    if (isNew && parent.includes("/", "skill://".length)) add(parent, { mimeType: "inode/directory" });
  };
  for (const { uri, mimeType, size } of files) add(uri, { mimeType, size });
  return new Map([...found].map(([uri, children]) => [uri, [...children.values()]]));
}

/** Returns the canonical spelling of an address, as the build writes it. */
function canonical(uri: string): string {
  try {
    return uri.replace(/[^/:]+/g, (segment) => encodeURIComponent(decodeURIComponent(segment)));
  } catch {
    return uri;
  }
}

function fail(message: string): never {
  throw new McpFault(faultCodes.invalidParams, message);
}
