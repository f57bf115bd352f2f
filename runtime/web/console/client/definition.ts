import { asRecord, asText, isRecord, recordsIn, type Json } from "../base/json.ts";
import type { Schema } from "../schema/schema.ts";

/** A tool as the service definition describes it. */
export interface ToolInfo {
  readonly name: string;
  readonly title: string | undefined;
  readonly path: string;
  readonly description: string;
  readonly request: Schema | undefined;
  readonly result: Schema | undefined;
  readonly annotations: Readonly<Record<string, boolean>>;
  readonly scopes: readonly string[];
  readonly examples: readonly Json[];
  /** Name of the group into which its author has put the tool. */
  readonly category: string | undefined;
  /** Reason why the tool is deprecated; empty if its author gives none; undefined if the tool is not deprecated. */
  readonly outdated: string | undefined;
  /** Whole description of the tool, as the service returned it. */
  readonly whole: Readonly<Record<string, unknown>>;
}

/** A service with its tools. */
export interface ServiceInfo {
  /** Key of the service on a platform; empty for the service of the page. */
  readonly key: string;
  /** URN of the service on a platform; undefined for the service of the page. */
  readonly urn?: string | undefined;
  readonly name: string;
  readonly version: string | undefined;
  readonly description: string;
  readonly tools: readonly ToolInfo[];
  /** Whole service definition. */
  readonly definition: Readonly<Record<string, unknown>>;
}

/** Reads a service definition, which may be incomplete: a worker that registers itself gives only a name. */
export function readService(key: string, definition: Readonly<Record<string, unknown>>): ServiceInfo {
  const { name, version, description } = definition;
  return {
    key,
    name: asText(name) ?? key,
    version: asText(version),
    description: asText(description) ?? "",
    tools: recordsIn(definition, "tools").map(readTool),
    definition,
  };
}

/** Reads a tool of a service definition. */
export function readTool(tool: Readonly<Record<string, unknown>>): ToolInfo {
  const { annotations, scopes, deprecated: notice } = tool;
  const name = asText(tool["name"]) ?? "";
  const hints = Object.entries(asRecord(annotations)).filter(([, value]) => typeof value === "boolean");
  return {
    name,
    title: asText(tool["title"]),
    path: asText(tool["path"]) ?? `/tool/${name}`,
    description: asText(tool["description"]) ?? "",
    request: schemaOf(tool["request-schema"]),
    result: schemaOf(tool["result-schema"]),
    annotations: Object.fromEntries(hints) as Record<string, boolean>,
    scopes: Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === "string") : [],
    whole: tool,
    category: asText(tool["category"]),
    outdated: notice === true ? "" : asText(notice),
    examples: recordsIn(tool, "examples").map(({ request }) => request as Json),
  };
}

function schemaOf(value: unknown): Schema | undefined {
  return isRecord(value) ? (value as Schema) : undefined;
}
