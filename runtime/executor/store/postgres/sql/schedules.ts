import { clock, now } from "./fragments.ts";

/** Statements about schedules: their plans, the firings that are due, and the steps from one firing to the next. */
export const scheduleTexts = {
  plan: `WITH given AS (SELECT * FROM unnest($2::text[], $3::integer[], $4::text[], $5::text[], $6::bigint[])
      AS x(tool, number, times, definition, next)),
    gone AS (DELETE FROM {schedules} s WHERE s.service = $1
      AND NOT EXISTS (SELECT 1 FROM given WHERE given.tool = s.tool AND given.number = s.number))
    INSERT INTO {schedules} AS known (tool, number, service, times, definition, next, paused)
      SELECT tool, number, $1, times, definition, next, false FROM given ORDER BY tool, number
    ON CONFLICT (tool, number) DO UPDATE SET service = excluded.service, times = excluded.times,
      definition = excluded.definition,
      next = CASE WHEN known.times = excluded.times THEN known.next ELSE excluded.next END
      WHERE known.definition <> excluded.definition OR known.service <> excluded.service`,
  /**
   * Returns the schedules and the time. If there are no schedules, returns one row with the time alone, which the
   * caller needs.
   */
  planned: `WITH ${clock} SELECT ${now}::float8 AS now, s.tool, s.number, s.definition, s.next::float8, s.last::float8,
      s.last_job, s.owes, s.paused
    FROM clock LEFT JOIN {schedules} s ON s.service = $2 ORDER BY s.tool, s.number`,
  move: `UPDATE {schedules} SET next = $5::bigint, last = coalesce($6::bigint, last), last_job = coalesce($7, last_job),
      owes = $7
    WHERE tool = $1 AND number = $2 AND definition = $3 AND next = $4::bigint AND NOT paused AND owes IS NULL
    RETURNING number`,
  paid: "UPDATE {schedules} SET owes = NULL WHERE tool = $1 AND number = $2 AND owes = $3",
  pause: `UPDATE {schedules} SET paused = $3::bigint IS NULL,
      next = CASE WHEN paused THEN coalesce($3::bigint, next) ELSE next END
    WHERE tool = $1 AND number = $2 RETURNING number`,
} as const;
