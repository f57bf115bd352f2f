import type { JsonObject, JsonSchema, JsonValue, ToolDefinition } from "../contract.ts";
import { routeSchemaNames } from "./openapi-shared-components.ts";
import { pascalCase, taggedUnion } from "./openapi-unions.ts";

/** The schemas of one tool, with references into `components`. */
export interface PlacedSchemas {
  readonly request?: JsonSchema;
  readonly result?: JsonSchema;
}

/** A tool and the name of its OpenAPI operation. */
export interface NamedTool {
  readonly definition: Pick<ToolDefinition, "request" | "result">;
  readonly name: string;
}

/**
 * Moves requests, results and the `$defs` of all tools into one table of component schemas, so that code generated from
 * the document has a named type for each. Equal definitions of the same name share a component. Different definitions
 * of the same name get numbered names, so that no type replaces another.
 */
export function componentSchemas(tools: readonly NamedTool[]): {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly placed: readonly PlacedSchemas[];
} {
  const schemas: Record<string, JsonSchema> = {};
  const texts = new Map<string, string>();
  const add = (name: string, schema: JsonSchema, closure: string): JsonSchema => {
    const component = freeName(name, closure, texts);
    schemas[component] = schema;
    return { $ref: `#/components/schemas/${component}` };
  };
  const place = (name: string, schema: JsonSchema): JsonSchema => {
    const { $schema: _dialect, $defs, ...root } = schema;
    const defs = ($defs ?? {}) as Readonly<Record<string, JsonSchema>>;
    const names = new Map(Object.keys(defs).map((key) => [key, freeName(key, closureOf(key, defs), texts)]));
    const relocating: Relocating = {
      names,
      defs,
      // The components to which a part refers are relocated already, so that their names stand for their types.
      add: (member, part) => add(member, part, JSON.stringify(part)),
    };
    for (const [key, component] of names) {
      schemas[component] = relocate(defs[key] ?? {}, relocating, component) as JsonSchema;
    }
    return add(name, relocate(root, relocating, name) as JsonSchema, JSON.stringify(schema));
  };
  const placed = tools.map(({ definition: { request, result }, name }) => ({
    ...(request !== undefined && { request: place(`${pascalCase(name)}Request`, request.schema) }),
    ...(result.schema !== undefined && {
      // A plain text does not become a component.
      result: result.kind === "text" ? result.schema : place(`${pascalCase(name)}Result`, result.schema),
    }),
  }));
  return { schemas, placed };
}

/** A definition with all that it reaches as a text, since types with the same name may differ in these. */
function closureOf(name: string, defs: Relocating["defs"]): string {
  const reached = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, part] of Object.entries(value)) {
      if (key === "$ref" && typeof part === "string") reach(part.slice("#/$defs/".length));
      else visit(part);
    }
  };
  const reach = (key: string): void => {
    if (reached.has(key)) return;
    reached.add(key);
    visit(defs[key]);
  };
  reach(name);
  return JSON.stringify([...reached].map((key) => [key, defs[key]]));
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

interface Relocating {
  /** Components of the `$defs`, by key. */
  readonly names: ReadonlyMap<string, string>;
  readonly defs: Readonly<Record<string, JsonSchema>>;
  /** Adds a part as a component, and returns a reference to it. */
  readonly add: (name: string, part: JsonSchema) => JsonSchema;
}

/** Keywords whose value contains schemas under names that the author chose. */
const namedSchemas = new Set(["properties", "patternProperties", "$defs"]);
/** Keywords whose value is data, in which nothing is replaced. */
const data = new Set(["const", "enum", "default", "examples", "required"]);

/**
 * Rewrites a part of a schema so that its references lead into `components`. Names of new components begin with
 * `owner`.
 */
function relocate(value: JsonValue | undefined, relocating: Relocating, owner: string, isNamed = false): JsonValue {
  if (value === undefined) return null;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => relocate(item, relocating, owner));
  const relocated = Object.fromEntries(
    Object.entries(value).map(([key, item]): [string, JsonValue] => {
      if (!isNamed && key === "$ref" && typeof item === "string") {
        const name = item.slice("#/$defs/".length);
        return [key, `#/components/schemas/${relocating.names.get(name) ?? name}`];
      }
      if (!isNamed && data.has(key)) return [key, item ?? null];
      const inner = isNamed ? owner + pascalCase(key) : owner;
      return [key, relocate(item, relocating, inner, !isNamed && namedSchemas.has(key))];
    }),
  );
  return isNamed ? relocated : taggedUnion(value as JsonObject, relocated, { owner, ...relocating });
}
