import { readFileSync } from "node:fs";
import { specTypeSchemas } from "@modelcontextprotocol/client";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const folder = new URL("../../fixtures/mcp-schema/", import.meta.url);

/** Revisions of the protocol whose schemas are there. */
export const revisions = ["2026-07-28", "2025-11-25"] as const;
export type Revision = (typeof revisions)[number];

/** Tells what is wrong with a value that should be of this type of the protocol. */
export type Referee = (type: string, value: unknown) => readonly object[];

/**
 * Two referees in one: the schema of the revision, which is the stricter one, and the official SDK's schema of the
 * type.
 */
export function createReferee(revision: Revision): Referee {
  const schemas = new Ajv2020({ strict: false, allErrors: true });
  (addFormats as unknown as (ajv: Ajv2020) => void)(schemas);
  schemas.addSchema({ $defs: Object.fromEntries(readLines(`${revision}.jsonl`)) }, "mcp");
  return (type, value) => {
    const validate = schemas.getSchema(`mcp#/$defs/${type}`);
    if (validate === undefined) throw new Error(`Revision ${revision} has no type ${type}.`);
    void validate(value);
    return [...(validate.errors ?? []), ...sdkErrors(type, value)];
  };
}

/** Legal requests and notifications of 2026-07-28, by the names of their files. */
export function protocolExamples(): readonly (readonly [file: string, example: Record<string, unknown>])[] {
  return readLines("examples-2026-07-28.jsonl") as readonly [string, Record<string, unknown>][];
}

/** True when the official SDK exports a schema of the type. */
export function isKnownToSdk(type: string): type is keyof typeof specTypeSchemas {
  return Object.hasOwn(specTypeSchemas, type);
}

/** The SDK accepts what any revision allows, and checks more than JSON Schema can say, such as base64. */
function sdkErrors(type: string, value: unknown): readonly object[] {
  if (!isKnownToSdk(type)) return [];
  const result = specTypeSchemas[type]["~standard"].validate(value);
  return "issues" in result && result.issues !== undefined ? [...result.issues] : [];
}

function readLines(file: string): [string, unknown][] {
  const lines = readFileSync(new URL(file, folder), "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as [string, unknown]);
}
