import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";

/**
 * Judges a document by a schema that its makers publish on their site alone. `TENON_SCHEMAS` names a folder with the
 * downloaded files; without it there is no judge, and the caller skips its test.
 *
 * @param file Name of the file in that folder.
 * @param root Pointer to the schema inside the file.
 */
export function officialSchema(file: string, root = ""): ((document: unknown) => readonly string[]) | undefined {
  const path = join(process.env["TENON_SCHEMAS"] ?? "", file);
  if (process.env["TENON_SCHEMAS"] === undefined || !existsSync(path)) return undefined;
  const schema = JSON.parse(readFileSync(path, "utf8")) as { readonly $schema?: string };
  const options = { strict: false, allErrors: true };
  const ajv = schema.$schema?.includes("2020-12") === true ? new Ajv2020(options) : new Ajv(options);
  formats.default(ajv);
  ajv.addSchema(schema, "official");
  const validate = ajv.getSchema(`official#${root}`);
  if (validate === undefined) throw new Error(`${path} has no ${root}.`);
  return (document) => {
    validate(document);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}
