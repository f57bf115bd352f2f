import type { JsonObject, JsonSchema, JsonValue } from "../../../runtime/contract/contract.ts";
import { isSchema, isSchemaList } from "./schema-refs.ts";

/** Characters below which a part is repeated instead of shared: a reference and a definition would save little. */
const smallestShared = 400;

/** A part of a schema. Equal parts of the schema share one such object. */
interface Part {
  /** The part without its description. Its subschemas are those of its first occurrence, before sharing. */
  readonly schema: JsonSchema;
  /** Number of characters, including all subschemas. */
  readonly size: number;
  readonly number: number;
  /** Number of occurrences in other parts. */
  uses: number;
  /** Name among the definitions. */
  name?: string;
}

/**
 * Moves parts that occur in several places to `$defs`, under names such as `Part1`. Types without a name, or whose name
 * is an alias, are written once for each place otherwise, which makes megabytes of a large package's type. The schema
 * accepts the same values; descriptions stay in their places.
 */
export function shareParts(root: JsonSchema): JsonSchema {
  const { $defs = {}, ...top } = root as JsonObject;
  const definitions = $defs as Readonly<Record<string, JsonSchema>>;
  const sharing = new Sharing(definitions);
  for (const schema of [top as JsonSchema, ...Object.values(definitions)]) sharing.countIn(schema);
  const schema = sharing.rewriteInside(top as JsonSchema);
  const own = Object.fromEntries(Object.entries(definitions).map(([name, one]) => [name, sharing.rewriteInside(one)]));
  const all = { ...own, ...sharing.definitions };
  return Object.keys(all).length === 0 ? schema : { ...schema, $defs: all };
}

class Sharing {
  readonly #parts = new Map<string, Part>();
  readonly #known = new WeakMap<JsonSchema, Part>();
  readonly #taken: Readonly<Record<string, JsonSchema>>;
  readonly definitions: Record<string, JsonSchema> = {};

  constructor(taken: Readonly<Record<string, JsonSchema>>) {
    this.#taken = taken;
  }

  countIn(schema: JsonSchema): void {
    mapSubschemas(schema, (one) => {
      this.#partOf(one).uses++;
      return one;
    });
  }

  rewriteInside(schema: JsonSchema): JsonSchema {
    return mapSubschemas(schema, (one) => this.#rewrite(one));
  }

  #partOf(schema: JsonSchema): Part {
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    const { description: _description, ...rest } = schema;
    let inside = 0;
    const inner: Part[] = [];
    const numbered = mapSubschemas(rest, (one) => {
      const part = this.#partOf(one);
      inner.push(part);
      inside += part.size + descriptionSize(one);
      return { part: part.number, ...(one["description"] !== undefined && { description: one["description"] }) };
    });
    const text = JSON.stringify(numbered);
    let part = this.#parts.get(text);
    if (part === undefined) {
      part = { schema: rest, size: text.length + inside, number: this.#parts.size, uses: 0 };
      this.#parts.set(text, part);
      for (const one of inner) one.uses++;
    }
    this.#known.set(schema, part);
    return part;
  }

  #rewrite(schema: JsonSchema): JsonSchema {
    const part = this.#partOf(schema);
    const { description } = schema;
    if (part.uses < 2 || part.size < smallestShared) return this.rewriteInside(schema);
    if (part.name === undefined) {
      part.name = this.#freeName();
      this.definitions[part.name] = {};
      this.definitions[part.name] = this.rewriteInside(part.schema);
    }
    return { $ref: `#/$defs/${part.name}`, ...(description !== undefined && { description }) };
  }

  #freeName(): string {
    for (let number = 1; ; number++) {
      const name = `Part${number}`;
      if (!Object.hasOwn(this.#taken, name) && !Object.hasOwn(this.definitions, name)) return name;
    }
  }
}

function descriptionSize({ description }: JsonSchema): number {
  return typeof description === "string" ? description.length + '"description":"",'.length : 0;
}

/** Replaces each direct subschema. */
function mapSubschemas(schema: JsonSchema, map: (one: JsonSchema) => JsonSchema): JsonSchema {
  const change = (key: string, value: JsonValue | undefined): JsonValue | undefined => {
    if (value === undefined) return undefined;
    if (key === "properties" || key === "patternProperties")
      return Object.fromEntries(
        Object.entries(value as JsonObject).map(([name, one = null]) => [name, isSchema(one) ? map(one) : one]),
      );
    if (isSchemaList(key, value)) return value.map((one) => (isSchema(one) ? map(one) : one));
    return (key === "items" || key === "additionalProperties") && isSchema(value) ? map(value) : value;
  };
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, change(key, value)]));
}
