import type { CodeEntry } from "./code-entry.ts";
import { type ConfigurationCode, configurationCodes } from "./configuration-codes.ts";
import { type PortabilityCode, portabilityCodes } from "./portability-codes.ts";
import { type ReadCode, readCodes } from "./read-codes.ts";
import { type RuleCode, ruleCodes } from "./rule-codes.ts";
import { type TypeCode, typeCodes } from "./type-codes.ts";

export type { CodeEntry };

/** Every code that a diagnostic can carry. */
export type Code = ReadCode | RuleCode | TypeCode | ConfigurationCode | PortabilityCode;

/** The table of all codes, by code; `docs/diagnostics.md` is made from it. */
export const codes: Readonly<Record<Code, CodeEntry>> = {
  ...readCodes,
  ...ruleCodes,
  ...typeCodes,
  ...configurationCodes,
  ...portabilityCodes,
};
