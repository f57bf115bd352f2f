import type { JsonSchema } from "../../runtime/contract/contract.ts";
import {
  commentText,
  objectText,
  typeText,
  type Direction,
  type TypeContext,
} from "../../runtime/contract/definition/type-text.ts";

type Definitions = Readonly<Record<string, JsonSchema>>;

/** The types of a file, each declared once. */
export interface Declarations {
  /**
   * The type of a schema. An object is declared under the given name, and so are all types that the schema refers to.
   */
  add(schema: JsonSchema, name: string, direction: Direction): string;
  texts(): readonly string[];
}

/** Opens a list of types. @param taken Names that the file uses already */
export function openDeclarations(taken: Iterable<string>): Declarations {
  const names = new Set(taken);
  const byShape = new Map<string, string>();
  /** Names of known schemas: a cache, since comparing shapes includes all types that a schema refers to. */
  const declared = new Map<JsonSchema, Map<string, string>>();
  const texts: string[] = [];

  /**
   * Declares a schema under a free name. Schemas that are equal, including all types that they refer to, share a name.
   */
  function declare(schema: JsonSchema, wanted: string, direction: Direction, definitions: Definitions): string {
    const place = `${direction} ${wanted}`;
    const known = declared.get(schema)?.get(place);
    if (known !== undefined) return known;
    const name = declareShape(schema, wanted, direction, definitions);
    const names = declared.get(schema) ?? new Map<string, string>();
    declared.set(schema, names.set(place, name));
    return name;
  }

  function declareShape(schema: JsonSchema, wanted: string, direction: Direction, definitions: Definitions): string {
    const shape = shapeOf(schema, direction, definitions);
    const key = `${wanted} ${shape}`;
    const known = byShape.get(key);
    if (known !== undefined) return known;
    const name = freeName(wanted, direction);
    byShape.set(key, name);
    // Reserves the position of this type before those of the types that it uses, which are declared while its text is
    // made.
    const place = texts.push("") - 1;
    texts[place] = declaration(name, schema, contextOf(direction, definitions));
    return name;
  }

  function contextOf(direction: Direction, definitions: Definitions): TypeContext {
    return {
      direction,
      refer: (reference) => {
        const definition = nameIn(reference);
        const schema = Object.hasOwn(definitions, definition) ? definitions[definition] : undefined;
        return schema === undefined ? "unknown" : declare(schema, typeName(definition), direction, definitions);
      },
    };
  }

  function freeName(wanted: string, direction: Direction): string {
    const candidates = direction === "request" ? [wanted, `${wanted}Input`] : [wanted];
    let name = candidates.find((candidate) => !names.has(candidate));
    for (let number = 2; name === undefined; number++)
      if (!names.has(`${wanted}${number}`)) name = `${wanted}${number}`;
    names.add(name);
    return name;
  }

  return {
    add(schema, name, direction) {
      const definitions = (schema["$defs"] ?? {}) as Definitions;
      const hasFields = schema["type"] === "object" && schema["properties"] !== undefined;
      if (hasFields || schema["anyOf"] !== undefined) return declare(schema, name, direction, definitions);
      return typeText(schema, contextOf(direction, definitions));
    },
    texts: () => texts,
  };
}

function declaration(name: string, schema: JsonSchema, context: TypeContext): string {
  const comment = commentText(schema);
  const isInterface = schema["type"] === "object" && schema["properties"] !== undefined;
  if (!isInterface) return `${comment}export type ${name} = ${typeText(schema, context)};`;
  const body = objectText(schema, context);
  return body.startsWith("{") && body.endsWith("}")
    ? `${comment}export interface ${name} ${body}`
    : `${comment}export type ${name} = ${body};`;
}

/** Returns a key that distinguishes types of the same name: the text of a type, and of all types that it refers to. */
function shapeOf(schema: JsonSchema, direction: Direction, definitions: Definitions): string {
  const reached = new Set<string>();
  const raw: TypeContext = {
    direction,
    refer(reference) {
      const name = nameIn(reference);
      reached.add(name);
      return name;
    },
  };
  const own = declaration("", schema, raw);
  const others: string[] = [];
  // The set grows during this loop, which also visits the new names.
  for (const name of reached)
    others.push(declaration(name, (Object.hasOwn(definitions, name) && definitions[name]) || {}, raw));
  return [own, ...others.toSorted()].join("\n");
}

function nameIn(reference: string): string {
  return reference.slice("#/$defs/".length);
}

/** A name in the style of types: `map-terms` becomes `MapTerms`. */
export function typeName(text: string): string {
  const words = text.match(/[A-Za-z\d_$]+/g) ?? [];
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^[A-Za-z_$]/.test(name) ? name : `Type${name}`;
}
