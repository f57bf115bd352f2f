import { clock, now } from "./fragments.ts";

/** True while a job of the service that has `known` waits or runs. */
const hasWork = `EXISTS (SELECT 1 FROM {tools} own JOIN {jobs} j ON j.tool = own.tool AND j.phase = 0
    WHERE own.service = known.service)
  OR EXISTS (SELECT 1 FROM {jobs} j JOIN {tools} own ON j.tool = own.tool
    WHERE j.phase > 0 AND j.phase IN (1, 2) AND own.service = known.service)`;

/** Keeps which service has which tools. */
export const toolTexts = {
  /** Returns the tools that are the service's now; those of another one become so when it was last seen long ago. */
  ownTools: `WITH ${clock} INSERT INTO {tools} AS known (tool, service, seen)
      SELECT tool, $3, ${now} FROM unnest($2::text[]) AS given(tool) ORDER BY tool
    ON CONFLICT (tool) DO UPDATE SET service = excluded.service, seen = excluded.seen
      WHERE known.service = excluded.service
        OR (known.seen < excluded.seen - $4::bigint AND NOT (${hasWork}))
    RETURNING tool`,
  ownerOf: "SELECT tool, service FROM {tools} WHERE tool = ANY ($1::text[]) ORDER BY tool LIMIT 1",
  /** Notes that the service is there, and returns a tool that another one has. */
  seeTools: `WITH ${clock}, seen AS (UPDATE {tools} SET seen = ${now}
      WHERE tool = ANY ($2::text[]) AND service = $3 AND seen < ${now} - $4::bigint)
    SELECT tool, service FROM {tools} WHERE tool = ANY ($2::text[]) AND service <> $3 ORDER BY tool LIMIT 1`,
} as const;
