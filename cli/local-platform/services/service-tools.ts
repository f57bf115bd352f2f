import { ToolError } from "../../../runtime/base/errors.ts";

interface ToolEntry {
  readonly name: string;
  readonly path: string;
  /** `$schema` of its requests. */
  readonly schema: string | undefined;
  readonly definition: Readonly<Record<string, unknown>>;
}

/**
 * Finds the path of the tool for a request: the named tool, else the tool whose requests have this `$schema`, else the
 * only tool. Throws `bad-request`.
 */
export function toolForContent(
  definition: Readonly<Record<string, unknown>>,
  text: string,
  name: string | undefined,
): string {
  const tools = readTools(definition);
  const [first, ...more] = tools;
  if (first === undefined) return "/tool";
  if (name !== undefined) {
    const found = tools.find((tool) => tool.name === name);
    if (found !== undefined) return found.path;
    throw new ToolError(
      "bad-request",
      `The service has no tool ${JSON.stringify(name.slice(0, 100))}. ${namesOf(tools)}`,
    );
  }
  if (more.length === 0) return first.path;
  const schema = schemaOfRequest(text);
  const found = schema === undefined ? undefined : tools.find((tool) => tool.schema === schema);
  if (found !== undefined) return found.path;
  throw new ToolError(
    "bad-request",
    `Name the tool with ?tool=NAME, or give the request its $schema. ${namesOf(tools)}`,
  );
}

/**
 * Finds the definition of the tool that a request is for: the only tool, or the tool whose requests have this
 * `$schema`. Undefined if that cannot be known.
 */
export function toolOfContent(
  definition: Readonly<Record<string, unknown>>,
  text: string,
): Readonly<Record<string, unknown>> | undefined {
  const [first, ...more] = readTools(definition);
  if (more.length === 0) return first?.definition;
  const schema = schemaOfRequest(text);
  return schema === undefined ? undefined : [first, ...more].find((tool) => tool?.schema === schema)?.definition;
}

/** Name of the tool that a request is for; undefined if that cannot be known. */
export function toolNameOf(
  definition: Readonly<Record<string, unknown>>,
  { text, path }: { readonly text: string; readonly path?: string },
): string | undefined {
  const called = path === undefined ? undefined : readTools(definition).find((tool) => tool.path === path);
  const name = called?.name ?? toolOfContent(definition, text)?.["name"];
  return typeof name === "string" ? name : undefined;
}

/** Name of a service's only tool; undefined if it has several, or if its tools are not known. */
export function onlyTool(definition: Readonly<Record<string, unknown>>): string | undefined {
  const [first, ...more] = readTools(definition);
  return more.length === 0 ? first?.name : undefined;
}

/** The `$schema` of a request, which serialisers may write after other keys. */
function schemaOfRequest(text: string): string | undefined {
  const first = schemaOfJson(text);
  if (first !== undefined || !text.includes('"$schema"')) return first;
  try {
    const { $schema } = (JSON.parse(text) ?? {}) as { readonly $schema?: unknown };
    return typeof $schema === "string" ? $schema : undefined;
  } catch {
    return undefined;
  }
}

/** The `$schema` at the start of JSON text, read without parsing the rest. */
export function schemaOfJson(text: string): string | undefined {
  return /^\s*\{\s*"\$schema"\s*:\s*"([^"\\]{1,300})"/.exec(text.slice(0, 400))?.[1];
}

function readTools(definition: Readonly<Record<string, unknown>>): readonly ToolEntry[] {
  const { tools } = definition;
  if (!Array.isArray(tools)) return [];
  return (tools as readonly unknown[]).flatMap((item) => {
    const tool = (item ?? {}) as Readonly<Record<string, unknown>>;
    const { name, path } = tool;
    if (typeof name !== "string") return [];
    const usual = tools.length === 1 ? "/tool" : `/tool/${encodeURIComponent(name)}`;
    const own = typeof path === "string" && path.startsWith("/") ? path : usual;
    return [{ name, path: own, schema: requestSchema(tool), definition: tool }];
  });
}

/** The `$schema` of a tool's requests; undefined if they have none. */
export function requestSchema({ "request-schema": schema }: Readonly<Record<string, unknown>>): string | undefined {
  const { properties } = (schema ?? {}) as {
    readonly properties?: { readonly $schema?: { readonly const?: unknown } };
  };
  const urn = properties?.$schema?.const;
  return typeof urn === "string" ? urn : undefined;
}

function namesOf(tools: readonly ToolEntry[]): string {
  return `Its tools: ${tools.map(({ name }) => name).join(", ")}.`;
}
