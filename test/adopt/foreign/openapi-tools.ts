import type { ContractTool } from "../../../cli/contracts/contract.ts";
import { toolOf } from "./differences.ts";

interface Schema {
  readonly type?: string;
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly $ref?: string;
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly required?: boolean; readonly schema: Schema }[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { schema: Schema }>>;
  };
}

/** An OpenAPI document of version 3.0. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/**
 * The operations of a document as tools, each named by its route. A request has the fields of the parameters; a body is
 * one more field, under the name that the adopted tool gives it, or the request itself.
 *
 * @param adopted Fields of the request of the adopted tool, by route
 */
export function openApiTools(
  { paths, components }: OpenApi,
  adopted: ReadonlyMap<string, readonly string[]>,
): readonly ContractTool[] {
  const schemas = components.schemas ?? {};
  const $defs = plain(schemas);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => {
      const route = `${method.toUpperCase()} ${path}`;
      const properties: Record<string, unknown> = {};
      const required = parameters.filter((one) => one.required).map(({ name }) => name);
      for (const { name, schema } of parameters) properties[name] = plain(schema);
      const [body] = Object.values(requestBody?.content ?? {});
      if (body !== undefined) {
        const named = body.schema.$ref?.replace("#/components/schemas/", "");
        const inner = (named === undefined ? undefined : schemas[named]) ?? body.schema;
        const [key, ...others] = (adopted.get(route) ?? []).filter((name) => !Object.hasOwn(properties, name));
        if (key !== undefined && others.length === 0 && !Object.hasOwn(inner.properties ?? {}, key)) {
          properties[key] = plain(body.schema);
          if (requestBody?.required) required.push(key);
        } else {
          Object.assign(properties, plain(inner.properties ?? {}));
          required.push(...(inner.required ?? []));
        }
      }
      return toolOf(route, { type: "object", properties, required, $defs });
    }),
  );
}

/** A schema as JSON Schema: without formats of numbers, and with `null` as a type. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const { nullable, ...rest } = value as Schema & Readonly<Record<string, unknown>>;
  const entries = Object.entries(rest).flatMap(([key, inner]) => {
    if (key === "format" && /^(?:double|float|int32|int64)$/.test(String(inner))) return [];
    if (key === "additionalProperties" && inner === true) return [];
    if (key === "$ref") return [[key, String(inner).replace("#/components/schemas/", "#/$defs/")] as const];
    return [[key, plain(inner)] as const];
  });
  const schema = Object.fromEntries(entries);
  return nullable === true ? { anyOf: [schema, { type: "null" }] } : schema;
}
