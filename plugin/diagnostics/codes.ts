import type { CodeEntry } from "./code-entry.ts";
import { type ConfigurationCode, configurationCodes } from "./configuration-codes.ts";
import { type ReadCode, readCodes } from "./read-codes.ts";
import { type RuleCode, ruleCodes } from "./rule-codes.ts";
import { type TypeCode, typeCodes } from "./type-codes.ts";

export type { CodeEntry };

/** Every code that a diagnostic of the reader can carry. */
export type Code = ReadCode | RuleCode | TypeCode | ConfigurationCode;

/** The table of all codes, by code; `docs/diagnostics.md` is made from it. */
export const codes: Readonly<Record<Code, CodeEntry>> = {
  ...readCodes,
  ...ruleCodes,
  ...typeCodes,
  ...configurationCodes,
};
