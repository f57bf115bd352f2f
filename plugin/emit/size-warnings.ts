import type { JsonSchema, ToolDefinition } from "../../runtime/contract/contract.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { ToolModel } from "../model/tool.ts";

/** Characters of JSON above which a schema fills most of a model's context. */
const largeSchema = 100_000;

/** Characters of code above which one tool makes a start slow. */
const largeCode = 2_000_000;

/**
 * Warns about size (TN504): a schema, in the form for MCP clients, that is too large for hosts and models, or code that
 * makes a start slow.
 *
 * @param code Generated code of the tool
 */
export function sizeWarnings(model: ToolModel, definition: ToolDefinition, code: string): readonly Diagnostic[] {
  const { request, result, mcp } = definition;
  const parts = [
    ["request", request?.schema, mcp.inputSchema],
    ["result", result.schema, mcp.outputSchema],
  ] as const;
  const large = parts.flatMap(([part, schema, sent]) => {
    const size = Math.max(sizeOf(schema), sizeOf(sent));
    if (size <= largeSchema) return [];
    const found = `The schema of the ${part} of tool \`${model.name}\` has ${kilobytes(size)}.`;
    return [sizeWarning(model, found, schema)];
  });
  if (large.length > 0 || code.length <= largeCode) return large;
  const found = `The code that is generated for tool \`${model.name}\` has ${kilobytes(code.length)}.`;
  return [sizeWarning(model, found, request?.schema)];
}

function sizeWarning({ position }: ToolModel, found: string, schema: JsonSchema | undefined): Diagnostic {
  const [name, size] = heaviest(schema) ?? ["", 0];
  const isOne = size > largeSchema / 10;
  return {
    code: "TN504",
    level: "warning",
    message: isOne ? `${found} The type that weighs most is \`${name}\`, ${kilobytes(size)}.` : found,
    fix: isOne
      ? `take only the fields that are needed, such as \`Pick<${name}, …>\`, or \`Json\` for what the tool only hands on`
      : "take a plainer type: `string` instead of a union of thousands, or only the fields that are needed",
    ...position,
  };
}

/** Finds the named type with the longest schema, not counting types that it refers to. */
function heaviest(schema: JsonSchema | undefined): readonly [name: string, size: number] | undefined {
  return Object.entries((schema?.["$defs"] ?? {}) as Readonly<Record<string, JsonSchema>>)
    .map(([name, one]) => [name, sizeOf(one)] as const)
    .toSorted(([, one], [, other]) => other - one)[0];
}

function sizeOf(schema: JsonSchema | undefined): number {
  return schema === undefined ? 0 : JSON.stringify(schema).length;
}

function kilobytes(size: number): string {
  return `${Math.round(size / 1000).toLocaleString("en")} kB`;
}
