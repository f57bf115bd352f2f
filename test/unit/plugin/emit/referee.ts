import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonSchema } from "../../../../runtime/contract/contract.ts";
import { formats } from "../../../../runtime/contract/validation/formats/formats.ts";

const settings = { strict: false, strictNumbers: true, ownProperties: true, allErrors: false, formats: { ...formats } };
/** An instance compiles the schema of schemas, and keeps something of each schema: it serves for a thousand. */
const judge = { ajv: new Ajv2020(settings), left: 1000 };

/**
 * An independent judge of what a schema accepts: ajv with our formats, own properties only, finite numbers only. Some
 * names it misjudges (it leaves `__proto__` out of `properties`, finds a missing `""` present, and its deep equality
 * calls the data's `valueOf`), so these get a tilde in front, in schema and value alike.
 */
export function referee(schema: JsonSchema): (value: unknown) => boolean {
  const own = renamed(schema) as JsonSchema;
  if (judge.left-- === 0) Object.assign(judge, { ajv: new Ajv2020(settings), left: 1000 });
  const validate = judge.ajv.compile(own);
  judge.ajv.removeSchema(own);
  return (value) => validate(renamed(value));
}

const misjudged = new Set(["", "__proto__", "constructor", "valueOf", "toString", "hasOwnProperty"]);

function rename(name: string): string {
  return misjudged.has(name) ? `~${name}` : name;
}

function renamed(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(renamed);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      rename(key),
      key === "required" && Array.isArray(item) ? item.map(rename) : renamed(item),
    ]),
  );
}
