import { clock, now } from "./fragments.ts";

/** Keeps which service has which tools. */
export const toolTexts = {
  /** Returns the tools that are the service's now; those of another one become so when it was last seen long ago. */
  ownTools: `WITH ${clock} INSERT INTO {tools} AS known (tool, service, seen)
      SELECT tool, $3, ${now} FROM unnest($2::text[]) AS given(tool) ORDER BY tool
    ON CONFLICT (tool) DO UPDATE SET service = excluded.service, seen = excluded.seen
      WHERE known.service = excluded.service OR known.seen < excluded.seen - $4::bigint
    RETURNING tool`,
  ownerOf: "SELECT tool, service FROM {tools} WHERE tool = ANY ($1::text[]) ORDER BY tool LIMIT 1",
  seeTools: `WITH ${clock} UPDATE {tools} SET seen = ${now}
    WHERE tool = ANY ($2::text[]) AND service = $3 AND seen < ${now} - $4::bigint`,
} as const;
