import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonSchema } from "../../../runtime/contract.ts";
import { formats } from "../../../runtime/validation/formats.ts";

/**
 * An independent judge of what a schema accepts: ajv with our formats, own properties only, finite numbers only. It
 * leaves `__proto__` out of `properties`, and its deep equality trips over data with a `constructor` or `valueOf`; such
 * names get a tilde in front, in schema and value alike, since only their being names matters.
 */
export function referee(schema: JsonSchema): (value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false, strictNumbers: true, ownProperties: true, allErrors: false, formats: { ...formats } });
  const validate = ajv.compile(renamed(schema) as JsonSchema);
  return (value) => validate(renamed(value));
}

function renamed(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(/"(__proto__|constructor|valueOf|toString|hasOwnProperty)"/g, '"~$1"'));
}
