import { createHash } from "node:crypto";
import { channelOf } from "./channel.ts";
import type { Statement } from "./connection/database.ts";
import { quoteName } from "./schema.ts";
import { anyJobTexts } from "./sql/any-job.ts";
import { claimTexts } from "./sql/claims.ts";
import { heldTexts } from "./sql/held-jobs.ts";
import { housekeepingTexts } from "./sql/housekeeping.ts";
import { keptTexts } from "./sql/kept.ts";
import { probeTexts } from "./sql/probe.ts";
import { readTexts } from "./sql/reads.ts";
import { submissionTexts } from "./sql/submission.ts";
import { toolTexts } from "./sql/tools.ts";

/**
 * The statements by name; `{jobs}`, `{events}` … stand for the tables, `{channel}` for the channel, and `$1`
 * is the time of a test, or NULL.
 */
const texts = {
  ...submissionTexts,
  ...claimTexts,
  ...heldTexts,
  ...keptTexts,
  ...anyJobTexts,
  ...housekeepingTexts,
  ...toolTexts,
  ...readTexts,
  ...probeTexts,
} as const;

/** The statements of a store. */
export type Statements = { readonly [name in keyof typeof texts]: Statement };

/** The statements for a schema. Each names its tables in full: a pooler may give every transaction another connection. */
export function statementsOf(schema: string): Statements {
  const name = quoteName(schema);
  const statements = Object.entries(texts).map(([key, text]) => {
    const full = text
      .replaceAll("{jobs}", `${name}.jobs`)
      .replaceAll("{events}", `${name}.events`)
      .replaceAll("{tools}", `${name}.tools`)
      .replaceAll("{steps}", `${name}.steps`)
      .replaceAll("{messages}", `${name}.messages`)
      .replaceAll("{channel}", channelOf(schema));
    // Connections of a pooler are shared by schemas, and the name of a statement must be short.
    return [key, { name: `tenon_${key}_${hashOf(full)}`, text: full }] as const;
  });
  return Object.fromEntries(statements) as Statements;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
