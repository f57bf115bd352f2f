import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type ServiceFile, stableJson } from "../../plugin/index.ts";
import { readPresent } from "../base/read-present.ts";
import { CommandError } from "../base/usage.ts";
import type { Project } from "../project/project.ts";
import { mcpbFile } from "./pack-mcpb.ts";
import { readPackageFacts } from "./package-facts.ts";
import { readSettings } from "./read-settings.ts";
import { makeServerJson } from "./server-json.ts";

/** Input of a user in addition to the code and package.json. */
export interface ServerJsonWishes {
  readonly remotes?: readonly string[] | undefined;
  /** Address at which the packed bundle is published. */
  readonly mcpb?: string | undefined;
  readonly variables?: readonly string[];
}

export interface ServerJsonFile {
  /** Absolute path. */
  readonly file: string;
  /** Content according to the code. */
  readonly text: string;
  /** Present content of the file; undefined if there is no file. */
  readonly committed: string | undefined;
}

/**
 * Makes the entry of a compiled service in the MCP registry.
 *
 * @throws CommandError with all reasons why the registry would refuse it
 */
export async function packServerJson(
  { definition, project }: Pick<ServiceFile, "definition"> & { readonly project: Project },
  { remotes, mcpb, variables = [] }: ServerJsonWishes = {},
): Promise<ServerJsonFile> {
  const file = join(project.root, "server.json");
  const committed = readPresent(file);
  const facts = readPackageFacts(project.root);
  const { settings, knowsAll } = await readSettings(project, variables, true);
  const made = makeServerJson({
    definition,
    facts,
    settings,
    knowsAllSettings: knowsAll && variables.length === 0,
    remotes,
    mcpb: mcpb === undefined ? undefined : { url: mcpb, sha256: digestOf(mcpbFile(facts, definition)) },
    startsAlone: readFileSync(project.entry, "utf8").startsWith("#!"),
    before: parse(committed, file),
  });
  if ("server" in made) return { file, text: stableJson(made.server), committed };
  throw new CommandError(
    `${relative(process.cwd(), file)} cannot be made:\n${made.problems.map((problem) => `  - ${problem}.`).join("\n")}`,
  );
}

/**
 * True for a project with a `server.json` of the MCP registry; a file of that name that another program uses does not
 * count.
 */
export function hasServerJson({ root }: Pick<Project, "root">): boolean {
  return readPresent(join(root, "server.json"))?.includes("modelcontextprotocol.io/schemas/") === true;
}

function parse(text: string | undefined, file: string): Readonly<Record<string, unknown>> | undefined {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw new CommandError(`${file} is not JSON: ${(error as Error).message}`);
  }
}

function digestOf(file: string): string {
  if (existsSync(file)) return createHash("sha256").update(readFileSync(file)).digest("hex");
  throw new CommandError(`There is no ${relative(process.cwd(), file)}. Pack it first: tenon pack mcpb`);
}
