import type { JsonSchema, JsonValue, ToolDefinition } from "../contract.ts";
import { routeSchemaNames } from "./openapi-routes.ts";

/** The schemas of one tool, with references into `components`. */
export interface PlacedSchemas {
  readonly request?: JsonSchema;
  readonly result?: JsonSchema;
}

/**
 * Moves the `$defs` of all tools into one table of component schemas. Equal definitions of one name share a component.
 * Different ones get numbered names, so that no tool's type replaces another's.
 */
export function componentSchemas(definitions: readonly ToolDefinition[]): {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly placed: readonly PlacedSchemas[];
} {
  const schemas: Record<string, JsonSchema> = {};
  const texts = new Map<string, string>();
  const place = (schema: JsonSchema): JsonSchema => {
    const { $schema: _dialect, $defs, ...root } = schema;
    const defs = ($defs ?? {}) as Readonly<Record<string, JsonSchema>>;
    // Two equal names mean the same type only when all types they reach are the same.
    const closure = JSON.stringify($defs ?? {});
    const names = new Map(Object.keys(defs).map((name) => [name, freeName(name, closure, texts)]));
    for (const [name, component] of names) schemas[component] = relocate(defs[name] ?? {}, names) as JsonSchema;
    return relocate(root, names) as JsonSchema;
  };
  const placed = definitions.map(({ request, result }) => ({
    ...(request !== undefined && { request: place(request.schema) }),
    ...(result.schema !== undefined && { result: place(result.schema) }),
  }));
  return { schemas, placed };
}

function freeName(name: string, closure: string, texts: Map<string, string>): string {
  const plain = name.replaceAll(/[^A-Za-z0-9._-]/g, "_");
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? plain : `${plain}_${number}`;
    const known = texts.get(candidate);
    if (known === closure) return candidate;
    if (known === undefined && !routeSchemaNames.includes(candidate)) {
      texts.set(candidate, closure);
      return candidate;
    }
  }
}

/** Keywords whose value holds schemas under names that the author chose. */
const namedSchemas = new Set(["properties", "$defs"]);
/** Keywords whose value is data and must stay as it is. */
const data = new Set(["const", "enum", "default", "examples", "required"]);

function relocate(value: JsonValue | undefined, names: ReadonlyMap<string, string>, isNamed = false): JsonValue {
  if (value === undefined) return null;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => relocate(item, names));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]): [string, JsonValue] => {
      if (!isNamed && key === "$ref" && typeof item === "string") {
        const name = item.slice("#/$defs/".length);
        return [key, `#/components/schemas/${names.get(name) ?? name}`];
      }
      if (!isNamed && data.has(key)) return [key, item ?? null];
      return [key, relocate(item, names, !isNamed && namedSchemas.has(key))];
    }),
  );
}
