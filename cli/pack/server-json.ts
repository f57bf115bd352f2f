import type { ServiceFile } from "../../plugin/index.ts";
import { unscoped, type PackageFacts } from "./package-facts.ts";
import type { Setting } from "./read-settings.ts";

/** The schema of the written file. The registry names its schemas by date. */
export const serverSchema = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

type Json = Readonly<Record<string, unknown>>;

/** Everything that `server.json` is made from. */
export interface ServerJsonInput {
  readonly definition: Pick<ServiceFile["definition"], "name" | "description" | "version">;
  readonly facts: PackageFacts;
  readonly settings: readonly Setting[];
  /** False: variables of the committed file that the code does not contain are retained. */
  readonly knowsAllSettings: boolean;
  /** Addresses of running services; undefined: those of the committed file are retained. */
  readonly remotes: readonly string[] | undefined;
  /** A packed bundle, and the address at which it is published; undefined: that of the committed file is retained. */
  readonly mcpb: { readonly url: string; readonly sha256: string } | undefined;
  /** True if the first line of the entry makes it executable: `#!/usr/bin/env node`. */
  readonly startsAlone: boolean;
  /** The committed file. Parts of it that tenon does not know are retained. */
  readonly before: Json | undefined;
}

/** The content of the file, or the reasons why the registry would refuse it. */
export type ServerJson = { readonly server: Json } | { readonly problems: readonly string[] };

/** Makes the entry of a service in the MCP registry. A pure function. */
export function makeServerJson(input: ServerJsonInput): ServerJson {
  const { definition, facts, before = {} } = input;
  const problems: string[] = [];
  const kept = (listOf(before["packages"]) as readonly Json[]).filter(({ registryType }) => registryType !== "npm");
  const packages = [
    ...(facts.isPrivate ? [] : [npmPackage(input, problems)]),
    ...(input.mcpb === undefined
      ? kept
      : [...kept.filter(({ registryType }) => registryType !== "mcpb"), mcpbPackage(input.mcpb, input)]),
  ];
  const remotes = remotesOf(input);
  const description = describe(definition.description, facts.description, problems);
  checkIdentity(input, problems);
  for (const one of kept) checkKept(one, input, problems);
  if (packages.length + remotes.length === 0) {
    problems.push(
      "there is nothing to install or to connect to: package.json is `private`, and neither --remote URL nor --mcpb URL is given",
    );
  }
  if (problems.length > 0) return { problems };
  const { repository, homepage, mcpName } = facts;
  const { $schema: _schema, name: _name, packages: _packages, remotes: _remotes, ...others } = before;
  return {
    server: {
      $schema: serverSchema,
      name: mcpName,
      ...others,
      title: definition.name.slice(0, 100),
      description,
      ...(repository && { repository: { ...repositoryOf(repository), ...pick(before["repository"], "id") } }),
      ...(homepage !== undefined && { websiteUrl: homepage }),
      version: definition.version,
      ...(packages.length > 0 && { packages }),
      ...(remotes.length > 0 && { remotes }),
    },
  };
}

/** Checks name and version by the registry's own rules. */
function checkIdentity({ definition: { version }, facts: { mcpName } }: ServerJsonInput, problems: string[]): void {
  if (mcpName === undefined) {
    problems.push(
      'package.json has no `mcpName`, the name in the registry; add one such as "mcpName": "io.github.ada/primes". The registry looks for the same name in the published package',
    );
  } else if (!/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/.test(mcpName) || mcpName.length > 200) {
    problems.push(
      `\`mcpName\` of package.json is ${JSON.stringify(mcpName)}; it must be a reversed domain, a slash and a name, such as "io.github.ada/primes"`,
    );
  }
  if (!/^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/.test(version)) {
    problems.push(`the version is ${JSON.stringify(version)}; the registry takes exact versions only, such as "1.0.2"`);
  }
}

/**
 * Returns the first text that is short enough: the service's description, its first sentence, or the description in
 * package.json.
 */
function describe(ofService: string, ofPackage: string | undefined, problems: string[]): string {
  const [sentence = ""] = ofService.split(/(?<=[.!?])\s|\n\n/);
  const given = [ofService, sentence, ofPackage ?? ""].map((text) => text.replaceAll(/\s+/g, " ").trim());
  const found = given.find((text) => text !== "" && text.length <= 100);
  if (found !== undefined) return found;
  problems.push(
    given.every((text) => text === "")
      ? "the service has no description; add `description` to `new Service({ … })` or to package.json"
      : `the description has ${given[0]?.length ?? 0} characters, and the registry takes 100; shorten its first sentence, or write a short \`description\` in package.json`,
  );
  return "";
}

function npmPackage({ definition, facts, startsAlone, ...input }: ServerJsonInput, problems: string[]): Json {
  const { name = "", bins } = facts;
  if (name === "") problems.push("package.json has no `name`");
  else if (!bins.includes(unscoped(name)) && bins.length !== 1) {
    problems.push(
      `npx cannot start ${name}: package.json needs one command, such as "bin": {"${unscoped(name)}": "dist/service.mjs"}; or set "private": true for a service that is not published`,
    );
  } else if (!startsAlone) {
    problems.push("npx cannot start the service: its entry must begin with the line `#!/usr/bin/env node`");
  }
  return {
    registryType: "npm",
    identifier: name,
    version: definition.version,
    runtimeHint: "npx",
    transport: { type: "stdio" },
    packageArguments: [{ type: "positional", value: "--with-mcp-stdio" }],
    ...variablesOf("npm", input),
  };
}

function mcpbPackage({ url, sha256 }: NonNullable<ServerJsonInput["mcpb"]>, { definition }: ServerJsonInput): Json {
  return {
    registryType: "mcpb",
    identifier: url,
    version: definition.version,
    fileSha256: sha256,
    transport: { type: "stdio" },
  };
}

/** Checks a package of the committed file that tenon did not generate. */
function checkKept({ registryType, version }: Json, { definition, mcpb }: ServerJsonInput, problems: string[]): void {
  if (registryType !== "mcpb" || mcpb !== undefined || version === definition.version) return;
  problems.push(
    `its mcpb package is of version ${JSON.stringify(version)}, the service of ${JSON.stringify(definition.version)}; run \`tenon pack mcpb\`, and \`tenon pack server-json --mcpb URL\` with its new address`,
  );
}

function remotesOf({ remotes, before }: ServerJsonInput): readonly Json[] {
  const known = listOf(before?.["remotes"]) as readonly Json[];
  if (remotes === undefined) return known;
  return remotes.map((url) => known.find((one) => one["url"] === url) ?? { type: "streamable-http", url });
}

function variablesOf(
  type: string,
  { settings, knowsAllSettings, before }: Pick<ServerJsonInput, "settings" | "knowsAllSettings" | "before">,
): Json {
  const earlier = (listOf(before?.["packages"]) as readonly Json[]).find(({ registryType }) => registryType === type);
  const known = listOf(earlier?.["environmentVariables"]) as readonly Json[];
  const made = settings.map((setting) => ({
    ...known.find(({ name }) => name === setting.name),
    ...inputOf(setting),
  }));
  const others = knowsAllSettings ? [] : known.filter(({ name }) => !settings.some((one) => one.name === name));
  const environmentVariables = [...made, ...others];
  return environmentVariables.length === 0 ? {} : { environmentVariables };
}

function inputOf({ name, description, kind, fallback, isRequired, isSecret }: Setting): Json {
  const format = { text: undefined, number: "number", boolean: "boolean", file: "filepath", folder: "filepath" }[kind];
  return {
    name,
    ...(description !== undefined && { description }),
    ...(isRequired && { isRequired }),
    ...(isSecret && { isSecret }),
    ...(format !== undefined && { format }),
    ...(fallback !== undefined && { default: fallback }),
  };
}

function repositoryOf({ url, folder }: NonNullable<PackageFacts["repository"]>): Json {
  const { hostname } = new URL(url);
  const source = /(?:^|\.)(github|gitlab|bitbucket)\./.exec(hostname)?.[1] ?? hostname;
  return { url, source, ...(folder !== undefined && { subfolder: folder }) };
}

function pick(from: unknown, key: string): Json {
  const value = (from as Json | undefined)?.[key];
  return value === undefined ? {} : { [key]: value };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
