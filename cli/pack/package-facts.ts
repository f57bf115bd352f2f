import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "../base/usage.ts";

/** A person or an organisation in package.json. */
export interface Person {
  readonly name: string;
  readonly email?: string;
  readonly url?: string;
}

/** Fields of package.json that describe a package, with short forms expanded. */
export interface PackageFacts {
  /** Absolute folder. */
  readonly root: string;
  readonly name: string | undefined;
  readonly isPrivate: boolean;
  readonly description: string | undefined;
  /** Name of the server in the MCP registry. */
  readonly mcpName: string | undefined;
  readonly homepage: string | undefined;
  readonly license: string | undefined;
  readonly keywords: readonly string[];
  readonly author: Person | undefined;
  readonly repository: { readonly url: string; readonly folder?: string } | undefined;
  /** Names of the package's commands. */
  readonly bins: readonly string[];
}

/** Reads package.json in the folder of a project. @throws CommandError when there is none, or it is not JSON */
export function readPackageFacts(root: string): PackageFacts {
  const read = readJson(join(root, "package.json"));
  const text = (key: string): string | undefined => textOf(read[key]);
  const { bin, keywords } = read;
  const name = text("name");
  return {
    root,
    name,
    isPrivate: read["private"] === true,
    description: text("description"),
    mcpName: text("mcpName"),
    homepage: text("homepage"),
    license: text("license"),
    keywords: Array.isArray(keywords) ? keywords.filter((one) => typeof one === "string") : [],
    author: readPerson(read["author"]),
    repository: readRepository(read["repository"]),
    bins: typeof bin === "string" ? [unscoped(name ?? "")] : Object.keys((bin ?? {}) as object),
  };
}

/** The name of a package without its scope. */
export function unscoped(name: string): string {
  return name.replace(/^@[^/]*\//, "");
}

function readJson(file: string): Readonly<Record<string, unknown>> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    throw new CommandError(`There is no ${file}: what is packed takes its name and version from there.`);
  }
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (error) {
    throw new CommandError(`${file} is not JSON: ${(error as Error).message}`);
  }
  if (typeof read === "object" && read !== null && !Array.isArray(read))
    return read as Readonly<Record<string, unknown>>;
  throw new CommandError(`${file} is not an object: what is packed takes its name and version from there.`);
}

/** Parses `Ada <ada@example.org> (https://ada.example.org)`, or an object with the three parts. */
function readPerson(given: unknown): Person | undefined {
  if (typeof given === "object" && given !== null) {
    const { name, email, url } = given as Readonly<Record<string, unknown>>;
    return person(textOf(name), textOf(email), textOf(url));
  }
  const text = textOf(given) ?? "";
  // Parts are parsed separately: a single pattern would take quadratic time for a text with many spaces.
  const [name = ""] = /^[^<(]*/.exec(text) ?? [];
  const [, email, url] = /^(?:<([^>]*)>)?\s*(?:\(([^)]*)\))?$/.exec(text.slice(name.length)) ?? [];
  if (email === undefined && url === undefined && name.length < text.length) return undefined;
  return person(textOf(name), email, url);
}

function person(name: string | undefined, email: string | undefined, url: string | undefined): Person | undefined {
  if (name === undefined) return undefined;
  return { name, ...(email !== undefined && { email }), ...(url !== undefined && { url }) };
}

/**
 * Converts `github:ada/primes`, `ada/primes`, a git URL, or an object that contains one, to an address for browsers.
 */
function readRepository(given: unknown): PackageFacts["repository"] {
  const { url: inside, directory } = (typeof given === "object" && given !== null ? given : { url: given }) as Readonly<
    Record<string, unknown>
  >;
  const written = textOf(inside);
  if (written === undefined) return undefined;
  const [, forge = "github", path] = /^(?:(github|gitlab|bitbucket):)?([\w.-]+\/[\w.-]+)$/.exec(written) ?? [];
  const address =
    path === undefined
      ? written.replace(/^git\+/, "").replace(/^(?:ssh:\/\/)?git@([^:/]+)[:/]/, "https://$1/")
      : `https://${forge}.${forge === "bitbucket" ? "org" : "com"}/${path}`;
  const url = address.replace(/^git:/, "https:").replace(/\.git$/, "");
  if (!URL.canParse(url)) return undefined;
  const folder = textOf(directory);
  return { url, ...(folder !== undefined && { folder }) };
}

function textOf(given: unknown): string | undefined {
  return typeof given === "string" && given.trim() !== "" ? given.trim() : undefined;
}
