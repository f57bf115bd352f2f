import * as z from "zod";
import { zodToJsonSchema } from "zod-to-json-schema";

/** A tool as its library registers it. */
export interface RecordedTool {
  readonly name: string;
  /** JSON Schema of the request. */
  readonly request: object;
}

/** Records tools that are registered by the methods of the MCP SDK and FastMCP. */
export interface Recorder {
  readonly tools: ReadonlyMap<string, RecordedTool>;
  readonly methods: Readonly<Record<string, (...given: readonly unknown[]) => void>>;
  add(name: unknown, schema: unknown): void;
}

/** Opens a list of tools. */
export function openRecorder(): Recorder {
  const tools = new Map<string, RecordedTool>();
  function add(name: unknown, schema: unknown): void {
    if (typeof name !== "string" || tools.has(name)) return;
    tools.set(name, { name, request: schema === undefined ? { type: "object" } : jsonSchema(schema) });
  }
  const addFast = (tool: unknown): void => {
    const { name, parameters } = tool as { readonly name?: unknown; readonly parameters?: unknown };
    add(name, parameters);
  };
  return {
    tools,
    add,
    methods: {
      registerTool: (name, config) =>
        add(name, (config as { readonly inputSchema?: unknown } | undefined)?.inputSchema),
      tool: (name, ...rest) =>
        add(
          name,
          rest.find((one) => typeof one === "object" && one !== null && isSchema(one)),
        ),
      addTool: addFast,
      addTools: (list) => (list as readonly unknown[]).forEach(addFast),
    },
  };
}

function isZod(value: unknown): boolean {
  return typeof value === "object" && value !== null && ("_zod" in value || "_def" in value);
}

function isSchema(value: object): boolean {
  return isZod(value) || Object.values(value).every(isZod);
}

/** The JSON Schema of a schema of zod 3 or 4, or of an object whose values are schemas. */
export function jsonSchema(schema: unknown): object {
  if (!isZod(schema)) {
    const fields = Object.entries(schema as Readonly<Record<string, { isOptional(): boolean }>>);
    const required = fields.filter(([, field]) => !field.isOptional()).map(([key]) => key);
    const properties = Object.fromEntries(fields.map(([key, field]) => [key, jsonSchema(field)]));
    return { type: "object", properties, ...(required.length > 0 && { required }) };
  }
  if ("_zod" in (schema as object)) return z.toJSONSchema(schema as z.ZodType, { io: "input", unrepresentable: "any" });
  return zodToJsonSchema(schema as never, { strictUnions: true, pipeStrategy: "input", $refStrategy: "none" });
}
