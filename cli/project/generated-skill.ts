import { lstatSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { CompiledTool, ServiceFile } from "../../plugin/index.ts";
import { readPresent } from "../base/read-present.ts";
import { CommandError } from "../base/usage.ts";
import type { Project } from "./project.ts";

type Service = Pick<ServiceFile["definition"], "name" | "description" | "tools">;

/** A skill that is generated from the comments of the tools. */
export interface GeneratedSkill {
  /** Absolute. */
  readonly file: string;
  readonly text: string;
  /** The present file; undefined if there is none. */
  readonly committed: string | undefined;
}

const mark = "<!-- Made by `tenon generate --skill` from the comments of the tools. Do not edit. -->";

/**
 * Generates the skill of a service, which tells models when and how to use its tools.
 *
 * @param asked False: undefined if the file does not exist yet.
 * @throws CommandError when a handwritten skill has that name, or when it would be written through a symbolic link
 */
export function generatedSkill(
  { definition, tools, project }: { definition: Service; tools: readonly CompiledTool[]; project: Project },
  asked: boolean,
): GeneratedSkill | undefined {
  const name = skillName(definition.name);
  const file = join(dirname(project.entry), "skills", name, "SKILL.md");
  const committed = readPresent(file);
  const isOurs = committed?.includes(mark) === true;
  if (!asked && !isOurs) return undefined;
  const linked = [dirname(dirname(file)), dirname(file), file].find((path) =>
    lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink(),
  );
  if (linked !== undefined) {
    throw new CommandError(
      `${relative(process.cwd(), linked)} is a symbolic link, which the build refuses (TN414), so no skill is written through it. Replace it by a folder.`,
    );
  }
  if (committed !== undefined && !isOurs) {
    throw new CommandError(
      `${relative(process.cwd(), file)} was not made by tenon, and stays as it is. Give its folder another name to have a generated one beside it.`,
    );
  }
  return { file, text: skillText(name, definition, tools), committed };
}

function skillName(service: string): string {
  const name = service
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, "-")
    .slice(0, 64)
    .replaceAll(/^-+|-+$/g, "");
  return name === "" ? "service" : name;
}

function skillText(
  name: string,
  { name: title, description, tools }: Service,
  compiled: readonly CompiledTool[],
): string {
  const signatures = new Map(compiled.map(({ definition }) => [definition.name, definition.signature]));
  const names = tools.map((tool) => tool.name).join(", ");
  const use = `Tells how the tools of ${title} are used: ${names}. ${oneLine(description)}`.trim();
  const short = use.length <= 1024 ? use : `${use.slice(0, 1000).replace(/\s+\S*$/, "")} …`;
  return [
    "---",
    `name: ${name}`,
    `description: ${JSON.stringify(short)}`,
    "---",
    "",
    mark,
    "",
    `# ${oneLine(title)}`,
    ...(description === "" ? [] : ["", description]),
    ...tools.flatMap((tool) => toolText(tool, signatures.get(tool.name))),
    "",
  ].join("\n");
}

function toolText(tool: Service["tools"][number], signature: string | undefined): readonly string[] {
  const { name, description, examples = [] } = tool;
  const args = argumentsOf(tool["request-schema"]);
  const hints = hintsOf(tool);
  return [
    "",
    `## ${name}`,
    "",
    ...(signature === undefined ? [] : ["```ts", signature, "```", ""]),
    description,
    ...(hints.length > 0 ? ["", hints.join(" ")] : []),
    ...(args.length > 0 ? ["", ...args] : []),
    ...examples.flatMap(({ title, request }) => ["", `${title ?? "Example"}: \`${JSON.stringify(request)}\``]),
  ];
}

function argumentsOf(schema: Service["tools"][number]["request-schema"]): readonly string[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties)
    .filter(([key]) => key !== "$schema")
    .map(([key, { description = "" }]) => {
      const head = `- \`${key}\`${required.includes(key) ? "" : ", optional"}`;
      return description === "" ? head : `${head}: ${oneLine(description)}`;
    });
}

function hintsOf({ annotations, scopes = [], timeout, deprecated }: Service["tools"][number]): readonly string[] {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  return [
    ...(deprecated === undefined ? [] : [`It is deprecated${deprecated === true ? "" : `: ${deprecated}`}.`]),
    ...(readOnlyHint === true ? ["It changes nothing."] : []),
    ...(destructiveHint === true ? ["It can destroy something: let a person confirm the call."] : []),
    ...(idempotentHint === true && readOnlyHint !== true
      ? ["Calling it again with the same arguments does no harm."]
      : []),
    ...(openWorldHint === true ? ["It reaches systems outside of the service."] : []),
    ...(scopes.length > 0 ? [`Callers need ${scopes.join(", ")}.`] : []),
    ...(timeout === undefined ? [] : [`It takes at most ${timeout} s.`]),
  ];
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
