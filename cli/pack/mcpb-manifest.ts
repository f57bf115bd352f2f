import type { ServiceFile } from "../../plugin/index.ts";
import { unscoped, type PackageFacts, type Person } from "./package-facts.ts";
import type { Setting } from "./read-settings.ts";

type Json = Readonly<Record<string, unknown>>;

export interface ManifestInput {
  readonly definition: ServiceFile["definition"];
  readonly facts: PackageFacts;
  readonly settings: readonly Setting[];
  /** Path of the service inside the bundle, with forward slashes. */
  readonly entryPoint: string;
  /** Oldest version of Node that runs the service, such as `22.19.0`. */
  readonly node: string;
  /** Set if the bundle contains native code, which runs only on this system. */
  readonly platform: string | undefined;
  /** Path of a picture inside the bundle. */
  readonly icon: string | undefined;
}

/** The manifest, or the reasons why hosts would refuse it. */
export type Manifest = { readonly manifest: Json } | { readonly problems: readonly string[] };

/** Makes the manifest of an MCP bundle, version 0.3. A pure function. */
export function makeManifest({
  definition,
  facts,
  settings,
  entryPoint,
  node,
  platform,
  icon,
}: ManifestInput): Manifest {
  const author: Person | undefined = definition.contact ?? facts.author;
  const description = firstText(definition.description, facts.description);
  const problems = [
    ...(facts.name === undefined ? ["package.json has no `name`"] : []),
    ...(author === undefined
      ? ["nobody stands for it: add `author` to package.json, or `contact` to `new Service({ … })`"]
      : []),
    ...(description === undefined
      ? ["the service has no description; add `description` to `new Service({ … })` or to package.json"]
      : []),
    ...illegal("`homepage` of package.json", facts.homepage, isAddress, "an http address"),
    ...illegal("the email of its author", author?.email, isEmail, "an email address"),
    ...illegal("the url of its author", author?.url, isAddress, "an http address"),
  ];
  if (problems.length > 0) return { problems };
  const { repository, homepage, license, keywords } = facts;
  return {
    manifest: {
      manifest_version: "0.3",
      name: unscoped(facts.name ?? ""),
      display_name: definition.name,
      version: definition.version,
      description,
      author,
      ...(repository && { repository: { type: "git", url: repository.url } }),
      ...(homepage !== undefined && { homepage }),
      ...(icon !== undefined && { icon }),
      server: {
        type: "node",
        entry_point: entryPoint,
        mcp_config: {
          command: "node",
          args: [`\${__dirname}/${entryPoint}`, "--with-mcp-stdio"],
          env: Object.fromEntries(settings.map(({ name }) => [name, `\${user_config.${keyOf(name)}}`])),
        },
      },
      tools: definition.tools.map((tool) => ({ name: tool.name, description: tool.description })),
      // Prompts are only announced: a manifest would need their full texts, but the service generates prompts on
      // request.
      ...(definition.prompts !== undefined && { prompts_generated: true }),
      ...(keywords.length > 0 && { keywords }),
      ...((definition.license?.name ?? license) !== undefined && { license: definition.license?.name ?? license }),
      compatibility: { ...(platform !== undefined && { platforms: [platform] }), runtimes: { node: `>=${node}` } },
      ...(settings.length > 0 && {
        user_config: Object.fromEntries(settings.map((setting) => [keyOf(setting.name), question(setting)])),
      }),
    },
  };
}

/** Describes the problem of a text that hosts refuse; undefined if they accept it. */
function illegal(
  name: string,
  text: string | undefined,
  isLegal: (text: string) => boolean,
  kind: string,
): readonly string[] {
  if (text === undefined || isLegal(text)) return [];
  return [`${name} is ${JSON.stringify(text.slice(0, 100))}, which is not ${kind}`];
}

function isAddress(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? "");
}

/** Checks an address as hosts do: ASCII letters, and a domain. */
function isEmail(text: string): boolean {
  return text.length <= 320 && /^[\w+-]+(?:\.[\w+-]+)*@(?:[a-z\d][a-z\d-]*\.)+[a-z]{2,}$/i.test(text);
}

const types = { text: "string", number: "number", boolean: "boolean", file: "file", folder: "directory" } as const;

/** Describes a setting for which a host asks its user. */
function question({ name, title, description, kind, fallback, isRequired, isSecret }: Setting): Json {
  // An optional number is asked for as text: an empty number would be read as 0, but an empty text counts as unset.
  const type = kind === "number" && !isRequired && fallback === undefined ? "string" : types[kind];
  return {
    type,
    title,
    description: description ?? `The variable ${name} of the service.`,
    required: isRequired,
    ...(isSecret && { sensitive: true }),
    ...(!isRequired && { default: fallbackOf(kind, fallback) }),
  };
}

/**
 * Default for a setting without one. Without a default, hosts pass the placeholder of the setting to the service when
 * the user enters no value.
 */
function fallbackOf(kind: Setting["kind"], fallback: string | undefined): string | number | boolean {
  if (kind === "boolean") return fallback === "true";
  return kind === "number" && fallback !== undefined ? Number(fallback) : (fallback ?? "");
}

function keyOf(name: string): string {
  return name.toLowerCase();
}

function firstText(...texts: readonly (string | undefined)[]): string | undefined {
  return texts.find((text) => text !== undefined && text.trim() !== "");
}
