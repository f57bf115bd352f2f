import type { JsonSchema, ToolDefinition } from "../../runtime/contract/contract.ts";
import { describeTool } from "../../runtime/contract/definition/mcp-descriptor.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { ToolModel } from "../model/tool.ts";
import { createJsonLength, type JsonLength } from "./schema/json-length.ts";

/** Characters of JSON above which a schema fills most of a model's context. */
const largeSchema = 100_000;

/** Bytes above which one entry of `tools/list` is too much for clients, whatever it consists of. */
const largeEntry = 256_000;

/** Characters of code above which one tool makes a start slow. */
const largeCode = 2_000_000;

const encoder = new TextEncoder();

/**
 * Warns about size (TN504): a schema, in the form for MCP clients, that is too large for hosts and models, an entry of
 * `tools/list` that is too large with its texts and its icon, or code that makes a start slow.
 *
 * @param code Generated code of the tool
 */
export function sizeWarnings(model: ToolModel, definition: ToolDefinition, code: string): readonly Diagnostic[] {
  const { request, result, mcp } = definition;
  const lengthOf = createJsonLength();
  const sizeOf = (schema: JsonSchema | undefined): number => (schema === undefined ? 0 : lengthOf(schema));
  const parts = [
    ["request", request?.schema, mcp.inputSchema],
    ["result", result.schema, mcp.outputSchema],
  ] as const;
  const large = parts.flatMap(([part, schema, sent]) => {
    const size = Math.max(sizeOf(schema), sizeOf(sent));
    if (size <= largeSchema) return [];
    const found = `The schema of the ${part} of tool \`${model.name}\` has ${kilobytes(size)}.`;
    return [sizeWarning(model, found, schema, lengthOf)];
  });
  if (large.length > 0) return large;
  if (code.length > largeCode) {
    const found = `The code that is generated for tool \`${model.name}\` has ${kilobytes(code.length)}.`;
    return [sizeWarning(model, found, request?.schema, lengthOf)];
  }
  const entry = encoder.encode(JSON.stringify(describeTool(definition))).length;
  if (entry <= largeEntry) return [];
  const message = `The entry of tool \`${model.name}\` in \`tools/list\` has ${kilobytes(entry)}.`;
  const fix = "name the icon by an `https:` address, and shorten the descriptions";
  return [{ code: "TN504", level: "warning", message, fix, ...model.position }];
}

function sizeWarning(
  { position }: ToolModel,
  found: string,
  schema: JsonSchema | undefined,
  lengthOf: JsonLength,
): Diagnostic {
  const { heaviest, fix } = schema === undefined ? plainAdvice : adviceFor(schema, lengthOf);
  return { code: "TN504", level: "warning", message: `${found}${heaviest}`, fix, ...position };
}

const plainAdvice = {
  heaviest: "",
  fix: "take a plainer type: `string` instead of a union of thousands, or only the fields that are needed",
};

/** Names what weighs most: a type, a field of a type without a name, or nothing where only the values are many. */
function adviceFor(schema: JsonSchema, lengthOf: JsonLength): typeof plainAdvice {
  const [name, size] = heaviestType(schema, lengthOf) ?? ["", 0];
  if (size > largeSchema / 10)
    return {
      heaviest: ` The type that weighs most is \`${name}\`, ${kilobytes(size)}.`,
      fix: `take only the fields that are needed, such as \`Pick<${name}, …>\`, or \`Json\` for what the tool only hands on`,
    };
  const field = heaviestField(schema, lengthOf);
  if (field !== undefined)
    return {
      heaviest: ` The field that weighs most is \`${field.path}\`, ${kilobytes(field.size)}.`,
      fix: `give \`${field.path}\` a type with the fields that are needed, or \`Json\` for what the tool only hands on`,
    };
  return plainAdvice;
}

/** Finds the named type with the longest schema, not counting types that it refers to. */
function heaviestType(schema: JsonSchema, lengthOf: JsonLength): readonly [name: string, size: number] | undefined {
  return Object.entries((schema["$defs"] ?? {}) as Readonly<Record<string, JsonSchema>>)
    .map(([name, one]) => [name, lengthOf(one)] as const)
    .toSorted(([, one], [, other]) => other - one)[0];
}

/** Finds the field that makes most of a schema, as deep as one of them makes half of it. */
function heaviestField(
  schema: JsonSchema,
  lengthOf: JsonLength,
  path: readonly string[] = [],
): { readonly path: string; readonly size: number } | undefined {
  const all = lengthOf(schema);
  const fields = Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>);
  const heavy = fields.find(([, one]) => lengthOf(one) > all / 2 && one["type"] === "object");
  if (heavy !== undefined) return heaviestField(heavy[1], lengthOf, [...path, heavy[0]]);
  const first = fields.toSorted(([, one], [, other]) => lengthOf(other) - lengthOf(one))[0];
  if (first === undefined || first[1]["enum"] !== undefined || lengthOf(first[1]) < largeSchema / 10) return undefined;
  return { path: [...path, first[0]].join("."), size: lengthOf(first[1]) };
}

function kilobytes(size: number): string {
  return `${Math.round(size / 1000).toLocaleString("en")} kB`;
}
