import { maxTalkBytes } from "../../shared-rules.ts";
import { clock, end, heard, now, tell } from "./fragments.ts";

/** Writes about jobs by anybody. */
export const anyJobTexts = {
  cancel: `WITH ${clock}, given AS (SELECT * FROM unnest($2::text[], $3::bytea[]) AS x(id, content)),
    done AS (UPDATE {jobs} j ${end("j.ttl")}, outcome = 'cancelled', content_type = NULL, content = given.content
      FROM given WHERE j.id = given.id AND j.phase < 3 RETURNING j.id, j.tool),
    told AS MATERIALIZED (${tell("ended", "id", "done")})
    SELECT id, tool FROM done WHERE ${heard}`,
  /** Lines are only added, so that replicas need not know of one another's. */
  answer: `WITH ${clock}, given AS (SELECT * FROM unnest($2::text[], $3::text[]) AS x(id, line)),
    taken AS (UPDATE {jobs} j SET replies = coalesce(j.replies || E'\\n', '') || given.line FROM given
      WHERE j.id = given.id AND j.phase < 3
        AND coalesce(octet_length(j.replies), 0) + octet_length(given.line) < ${maxTalkBytes} RETURNING j.id),
    told AS MATERIALIZED (${tell("answers", "id", "taken")})
    SELECT id FROM taken WHERE ${heard}`,
  redrive: `WITH ${clock}, back AS (UPDATE {jobs} SET phase = 0, due = ${now}, attempt = 0, started = NULL, ended = NULL, expires = NULL,
      outcome = NULL, content = NULL WHERE id = $2 AND phase = 4 RETURNING seq, tool),
    silent AS (DELETE FROM {events} USING back WHERE job = back.seq),
    told AS MATERIALIZED (${tell("ready", "tool", "back")})
    SELECT 1 FROM back WHERE ${heard}`,
} as const;
