import type { DatabaseSync, StatementSync } from "node:sqlite";
import { mostAhead } from "../../../contract/wait-text.ts";
import { mostAttempts } from "../attempts.ts";
import { briefColumns, stateColumn } from "../list-rows.ts";
import { claimColumns } from "../rows.ts";
import { maxAttempts, maxTalkBytes } from "../shared-rules.ts";

// SQLite uses a partial index only when the statement repeats the index's own condition.
const ended = "phase > 0 AND phase = 3";
const dead = "phase > 0 AND phase = 4";
const held = "id = ? AND attempt = ? AND token = ? AND phase = 2";
const listed = `seq, id, phase, attempt, tool, traceparent, started, ended, outcome, ${briefColumns}`;
/** Conditions for jobs that are being dropped; separate statements drop their events. */
const going = {
  expired: `SELECT seq FROM jobs WHERE ${ended} AND due <= ? ORDER BY due LIMIT ?`,
  finished: `SELECT seq FROM jobs WHERE ${ended} ORDER BY due LIMIT ?`,
  expiredDead: `SELECT seq FROM jobs WHERE ${dead} AND due <= ? ORDER BY due LIMIT ?`,
  dead: `SELECT seq FROM jobs WHERE ${dead} ORDER BY due LIMIT ?`,
  /**
   * Finds finished jobs above the limits. The rows are read from the newest on, where the jobs of a busy tool are. The
   * tools are lines of one text.
   */
  surplus:
    `SELECT seq FROM jobs WHERE ${ended} AND (instr(?, char(10) || tool || char(10)) > 0) = ? ` +
    "ORDER BY due DESC LIMIT ? OFFSET ?",
};
/**
 * Ends a job. Its request is kept for a fork; that of a job that is cancelled while it runs, too, since the step that
 * runs may still be stored. The last parameters are the outcome again (Node 22 does not mix `?` with `?1`), and the
 * size of a request that is kept for people.
 */
const end =
  "UPDATE jobs SET phase = 3, due = ? + ttl * 1000, ended = ?, talk = NULL, replies = NULL, outcome = ?, content_type = ?, " +
  "content = ?, input = CASE WHEN kept = 1 OR (phase = 2 AND ? = 'cancelled') OR octet_length(input) <= ? THEN input END";

/** Appends the current attempt of a row to its history; the only parameter is the time. */
const remember = (how: "lost" | "released" | "parked"): string =>
  `history = json_insert(CASE WHEN json_array_length(history) >= ${mostAttempts} THEN json_remove(history, '$[0]') ` +
  "ELSE coalesce(history, '[]') END, '$[#]', json_object('attempt', attempt, 'started', started, 'ended', ?, " +
  `'end', '${how}', 'worker', worker, ` +
  "'detail', CASE WHEN due < 0 THEN substr(detail, 1, instr(detail || char(10), char(10)) - 1) END, " +
  "'last', (SELECT max(sequence) FROM events WHERE job = jobs.seq)))";

/** SQL of the phase of a job that becomes claimable again: a job with a limit first waits in the queue of its key. */
const inLine = "CASE WHEN limit_key IS NULL THEN 0 ELSE -1 END";
/** SQL of the position at the end of all queues, for a job with a limit; the parameter is that position. */
const lastInLine = "CASE WHEN limit_key IS NULL THEN line ELSE ? END";
/** SQL of `early` for a job with a limit that joins the queue of its key again; the parameter is the time. */
const joinsAgain = "CASE WHEN limit_key IS NULL THEN early ELSE ? - head_start END";
/** SQL that puts a job with a limit before all others of its key: its worker was lost. */
const firstInLine =
  "line = CASE WHEN limit_key IS NULL THEN line END, early = CASE WHEN limit_key IS NULL OR early IS NULL THEN early ELSE 0 END";
const isUnsuspected = "(attempt = 0 OR attempt + 1 < max_attempts)";
/** SQL that finds the first of the jobs of a tool that have head starts, with its position. */
const earliest = (isReady = "true"): string =>
  `SELECT ${claimColumns}, early FROM jobs WHERE tool = ? AND phase = 0 AND early IS NOT NULL AND ${isReady} ORDER BY early, seq LIMIT 1`;

/**
 * Unfinished jobs of a key. SQLite uses the index `jobs_limited` only if the statement repeats the index's condition.
 */
const ofKey = "limit_key = ? AND phase < 3";

/** Every statement of the store, with parameters by position. Exported for the test that none reads the whole table. */
export const statementTexts = {
  insert:
    "INSERT INTO jobs (seq, phase, due, attempt, token, started, worker, id, max_attempts, ttl, tool, owner, idempotency_key, " +
    "idempotency_digest, traceparent, tracestate, baggage, caller, talk, input, limit_key, cap, pace, burst, wakes, head_start, early) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) " +
    "ON CONFLICT (id) DO NOTHING",
  findId: "SELECT * FROM jobs WHERE id = ?",
  findKey: "SELECT * FROM jobs WHERE idempotency_key = ? AND owner IS ?",
  findHeld: `SELECT seq FROM jobs WHERE ${held}`,
  /** Finds cancelled jobs too, since a step that ends after its job was cancelled has still run. */
  findHeldOrCancelled:
    "SELECT seq, phase FROM jobs WHERE id = ? AND attempt = ? AND token = ? AND (phase = 2 OR outcome = 'cancelled')",
  events: "SELECT sequence, body FROM events WHERE job = ? ORDER BY sequence",
  anyEvent: "SELECT max(job) AS job FROM events",
  drop: "DELETE FROM jobs WHERE seq = ?",
  dropEvents: "DELETE FROM events WHERE job = ?",

  tools:
    "SELECT tool FROM jobs WHERE phase = 0 UNION ALL SELECT tool FROM jobs WHERE phase > 0 AND phase IN (1, 2) " +
    "UNION ALL SELECT tool FROM jobs WHERE limit_key IS NOT NULL AND phase < 3 AND phase = -1 " +
    `UNION ALL SELECT tool FROM jobs WHERE ${dead}`,
  claimable: `SELECT ${claimColumns} FROM jobs WHERE id = ? AND (phase = 0 OR (phase = 1 AND due <= ? AND limit_key IS NULL))`,
  oldest: `SELECT ${claimColumns}, coalesce(line, seq) FROM jobs WHERE tool = ? AND phase = 0 ORDER BY coalesce(line, seq) LIMIT 1`,
  oldestUnsuspected:
    `SELECT ${claimColumns}, coalesce(line, seq) FROM jobs WHERE tool = ? AND phase = 0 AND ${isUnsuspected} ` +
    "ORDER BY coalesce(line, seq) LIMIT 1",
  earliest: earliest(),
  earliestUnsuspected: earliest(isUnsuspected),
  /** Position of a job: `early`, or, without a head start, the time at which it joined its queue. */
  turnOf: "SELECT early, due FROM jobs WHERE seq = ?",
  toolsWithHeadStarts:
    "SELECT tool FROM jobs WHERE phase = 0 AND early IS NOT NULL UNION ALL SELECT tool FROM jobs WHERE phase = -1 AND early IS NOT NULL " +
    "UNION ALL SELECT tool FROM jobs WHERE phase > 0 AND phase IN (1, 2, 4) AND head_start IS NOT NULL",
  claim:
    "UPDATE jobs SET phase = 2, waits = NULL, due = ?, attempt = ?, token = ?, started = ?, worker = ? WHERE seq = ?",
  /** Wakes jobs in batches: a million jobs that become claimable together must not delay all others. */
  undelay:
    `UPDATE jobs SET phase = ${inLine}, line = ${lastInLine}, early = ${joinsAgain} ` +
    "WHERE seq IN (SELECT seq FROM jobs WHERE phase > 0 AND phase = 1 AND due <= ? ORDER BY due LIMIT 500) RETURNING limit_key",
  nextDelayed: "SELECT min(due) AS due FROM jobs WHERE phase > 0 AND phase = 1",

  renew: `UPDATE jobs SET due = ? WHERE ${held}`,
  release: `UPDATE jobs SET phase = ?, due = ?, attempt = attempt - 1, token = NULL, started = NULL, ${remember("released")} WHERE ${held} RETURNING limit_key`,
  settle: `${end} WHERE ${held} RETURNING limit_key`,
  becomesDead: "UPDATE jobs SET phase = 4, expires = due, due = ? WHERE id = ? AND phase = 3",
  cancel: `${end} WHERE id = ? AND phase < 3 RETURNING limit_key`,
  marksKept: `UPDATE jobs SET kept = 1, max_attempts = max(max_attempts, attempt + ${maxAttempts}) WHERE seq = ?`,
  keepStep:
    "INSERT INTO steps (job, attempt, due, started, ended, key, state, tries, fingerprint, value, error) " +
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (job, key) DO UPDATE SET attempt = excluded.attempt, due = excluded.due, " +
    "started = CASE steps.state WHEN 0 THEN steps.started ELSE excluded.started END, ended = excluded.ended, state = excluded.state, " +
    "tries = excluded.tries, fingerprint = excluded.fingerprint, value = excluded.value, error = excluded.error",
  steps:
    "SELECT key, state, attempt, tries, fingerprint, value, error, due - ? AS remaining, started, ended FROM steps " +
    "WHERE job = ? ORDER BY key",
  fork:
    "INSERT INTO jobs (seq, phase, due, attempt, kept, id, max_attempts, ttl, tool, owner, caller, input, limit_key, cap, pace, burst, head_start, early) " +
    `SELECT ?4, ${inLine}, ?1, 0, 1, ?2, ${maxAttempts}, ttl, tool, owner, caller, input, limit_key, cap, pace, burst, head_start, ?1 - head_start FROM jobs ` +
    "WHERE id = ?3 AND phase >= 3 AND kept = 1 ON CONFLICT (id) DO NOTHING RETURNING seq, tool, limit_key, head_start",
  forkStep:
    "INSERT INTO steps (job, key, state, attempt, tries, fingerprint, value, error, started, ended) " +
    "SELECT ?, key, state, 0, tries, fingerprint, value, error, started, ended FROM steps " +
    "WHERE job = (SELECT seq FROM jobs WHERE id = ?) AND key = ?",
  messages: "SELECT name, body, once, sender, sent FROM messages WHERE job = ? ORDER BY sequence",
  park:
    `UPDATE jobs SET phase = CASE WHEN EXISTS (SELECT 1 FROM messages WHERE job = jobs.seq AND instr(char(10) || ?1 || char(10), ` +
    "char(10) || name || char(10)) > 0) THEN 0 ELSE 1 END, due = ?2, waits = ?1, kept = 1, attempt = attempt - 1, token = NULL, started = NULL, " +
    `${remember("parked").replace("?", "?3")} WHERE id = ?4 AND attempt = ?5 AND token = ?6 AND phase = 2 RETURNING phase, limit_key`,
  messageOnce: "SELECT 1 FROM messages WHERE job = ? AND once = ?",
  messageTotals:
    "SELECT count(*) AS count, coalesce(sum(octet_length(body)), 0) AS bytes, coalesce(max(sequence), 0) AS last FROM messages WHERE job = ?",
  addMessage: "INSERT INTO messages (job, sequence, name, body, once, sender, sent) VALUES (?, ?, ?, ?, ?, ?, ?)",
  marksSent: "UPDATE jobs SET kept = 1 WHERE seq = ? AND kept IS NOT 1",
  wake:
    `UPDATE jobs SET phase = ${inLine}, line = ${lastInLine}, early = ${joinsAgain}, due = ? WHERE seq = ? AND phase = 1 ` +
    "AND instr(char(10) || waits || char(10), char(10) || ? || char(10)) > 0 RETURNING limit_key",
  termsOf: `SELECT tool, cap, pace, burst, head_start FROM jobs WHERE ${ofKey} AND phase = -1 ORDER BY coalesce(line, seq) DESC LIMIT 1`,
  debounced:
    "SELECT DISTINCT tool FROM jobs WHERE limit_key IS NOT NULL AND phase < 3 AND phase = -1 AND wakes IS NOT NULL",
  anyLimited: "SELECT 1 FROM jobs WHERE limit_key IS NOT NULL AND phase < 3 LIMIT 1",
  heldOfKey: `SELECT count(*) AS count FROM (SELECT 1 FROM jobs WHERE ${ofKey} AND phase = -1 LIMIT ${mostAhead + 2})`,
  placed: `SELECT count(*) AS count FROM jobs WHERE ${ofKey} AND phase IN (0, 2)`,
  oldestOfKey: `SELECT coalesce(line, seq) AS place, id FROM jobs WHERE ${ofKey} AND phase = ? ORDER BY coalesce(line, seq) LIMIT 1`,
  nextWake: `SELECT min(wakes) AS wakes FROM jobs WHERE ${ofKey} AND phase = -1 AND wakes > ?`,
  /** Debounces: gives a job that has not started the request of a later submission of its caller. */
  join:
    "UPDATE jobs SET input = ?, caller = ?, wakes = min(?, due + coalesce(?, 9e15)), head_start = ?, early = due - ? WHERE seq = (SELECT seq FROM jobs " +
    `WHERE ${ofKey} AND phase = -1 AND wakes IS NOT NULL AND owner IS ? ORDER BY coalesce(line, seq) LIMIT 1) RETURNING *`,
  keyOf: "SELECT free_at, due FROM limit_keys WHERE limit_key = ?",
  fillKey:
    "INSERT INTO limit_keys (limit_key, free_at, due) VALUES (?, ?, ?) " +
    "ON CONFLICT (limit_key) DO UPDATE SET free_at = excluded.free_at, due = excluded.due",
  dueKeys: "SELECT limit_key FROM limit_keys WHERE due <= ? ORDER BY due LIMIT 500",
  restKey: "UPDATE limit_keys SET due = ceil(free_at) WHERE limit_key = ? AND due <= ?",
  dropKey: "DELETE FROM limit_keys WHERE limit_key = ? AND due <= ?",
  nextDue: "SELECT min(due) AS due FROM limit_keys",
  /** The last position of a row. Only jobs with a limit have one that is not their number. */
  lastPlace:
    "SELECT max(seq) AS place FROM jobs UNION ALL SELECT max(coalesce(line, seq)) FROM jobs WHERE limit_key IS NOT NULL AND phase < 3",
  heldOfTools:
    "SELECT tool, count(*) AS held, min(due) AS since FROM jobs WHERE limit_key IS NOT NULL AND phase < 3 AND phase = -1 GROUP BY tool",
  heldOfKeys:
    "SELECT limit_key AS key, min(tool) AS tool, count(*) AS held, min(due) AS since FROM jobs " +
    "WHERE limit_key IS NOT NULL AND phase < 3 AND phase = -1 GROUP BY limit_key",
  jobsOfKey: `SELECT id, owner FROM jobs WHERE ${ofKey} AND phase BETWEEN ? AND ? AND (? OR owner IS ?) LIMIT ?`,
  ahead: `SELECT count(*) AS count FROM (SELECT 1 FROM jobs WHERE ${ofKey} AND phase = -1 AND coalesce(line, seq) < ? LIMIT ${mostAhead})`,
  admit:
    "UPDATE jobs SET phase = 0, wakes = NULL, due = ?, line = ? WHERE seq = " +
    `(SELECT seq FROM jobs WHERE ${ofKey} AND phase = -1 AND (wakes IS NULL OR wakes <= ?) ORDER BY coalesce(line, seq) LIMIT 1) RETURNING tool`,
  firstOfKey: `SELECT seq, early, due FROM jobs WHERE ${ofKey} AND phase = -1 AND (wakes IS NULL OR wakes <= ?) ORDER BY coalesce(line, seq) LIMIT 1`,
  earliestOfKey:
    "SELECT seq, early FROM jobs WHERE limit_key = ? AND phase = -1 AND early IS NOT NULL AND (wakes IS NULL OR wakes <= ?) " +
    "ORDER BY early, seq LIMIT 1",
  admitOne:
    "UPDATE jobs SET phase = 0, wakes = NULL, due = ?, line = ?, early = ? - head_start WHERE seq = ? RETURNING tool",
  aheadOfEarly: `SELECT count(*) AS count FROM (SELECT 1 FROM jobs WHERE ${ofKey} AND phase = -1 AND (coalesce(early, due), seq) < (SELECT early, seq FROM jobs WHERE seq = ?) LIMIT ${mostAhead})`,
  ask: `UPDATE jobs SET talk = ? WHERE ${held}`,
  answer:
    "UPDATE jobs SET replies = coalesce(replies || char(10), '') || ? WHERE id = ? AND phase < 3 " +
    `AND coalesce(octet_length(replies), 0) + octet_length(?) < ${maxTalkBytes}`,
  lose: `UPDATE jobs SET due = -1, detail = ? WHERE ${held}`,

  lastSequence: "SELECT max(sequence) AS last, min(sequence) AS first FROM events WHERE job = ?",
  addEvent: "INSERT INTO events (job, sequence, body) VALUES (?, ?, ?)",
  dropOldEvents:
    "DELETE FROM events WHERE job = ? AND sequence <= " +
    "(SELECT sequence FROM events WHERE job = ? ORDER BY sequence DESC LIMIT 1 OFFSET ?)",

  retry:
    `UPDATE jobs SET phase = ${inLine}, ${firstInLine}, due = ?, token = NULL, started = NULL, ${remember("lost")} ` +
    "WHERE phase > 0 AND phase = 2 AND due <= ? AND attempt < max_attempts RETURNING limit_key",
  bury:
    "UPDATE jobs SET phase = 4, due = ?, ended = ?, expires = ? + ttl * 1000, token = NULL, " +
    `outcome = 'error', content = ?, ${remember("lost")} WHERE phase > 0 AND phase = 2 AND due <= ? RETURNING limit_key`,
  dropExpired: `DELETE FROM jobs WHERE seq IN (${going.expired}) RETURNING tool`,
  dropExpiredEvents: `DELETE FROM events WHERE job IN (${going.expired})`,
  dropFinished: `DELETE FROM jobs WHERE seq IN (${going.finished})`,
  dropFinishedEvents: `DELETE FROM events WHERE job IN (${going.finished})`,
  countFinished: `SELECT count(*) AS count FROM jobs WHERE ${ended}`,
  countFinishedByTool: `SELECT tool, count(*) AS count FROM jobs WHERE ${ended} GROUP BY tool`,
  dropSurplus: `DELETE FROM jobs WHERE seq IN (${going.surplus})`,
  dropSurplusEvents: `DELETE FROM events WHERE job IN (${going.surplus})`,
  dropExpiredDead: `DELETE FROM jobs WHERE seq IN (${going.expiredDead})`,
  dropExpiredDeadEvents: `DELETE FROM events WHERE job IN (${going.expiredDead})`,
  dropDead: `DELETE FROM jobs WHERE seq IN (${going.dead})`,
  dropDeadEvents: `DELETE FROM events WHERE job IN (${going.dead})`,
  countDead: `SELECT count(*) AS count FROM jobs WHERE ${dead}`,

  /**
   * Counts jobs. `at` is the time at which the longest waiting job became claimable. Only the first job of each tool is
   * read: a job that has come back is older than the jobs after it.
   */
  counts:
    "SELECT tool, count(*) AS waiting, 0 AS running, 0 AS dead, (SELECT min(due) FROM (SELECT first.due " +
    "FROM jobs AS first WHERE first.phase = 0 AND first.tool = jobs.tool ORDER BY coalesce(first.line, first.seq) LIMIT 100)) AS at " +
    "FROM jobs WHERE phase = 0 GROUP BY tool UNION ALL SELECT tool, sum(phase = 1), sum(phase = 2), sum(phase = 4), " +
    "min(CASE phase WHEN 1 THEN due END) FROM jobs WHERE phase > 0 AND (phase IN (2, 4) OR (phase = 1 AND due <= ?)) " +
    "GROUP BY tool",

  /** Only the jobs that are listed are read as a whole, since most of their bytes are in further pages of the file. */
  list:
    "WITH examined AS MATERIALIZED (SELECT seq, (?4 IS NULL OR instr(?4, char(10) || tool || char(10)) > 0) " +
    `AND (?5 IS NULL OR ${stateColumn} = ?5) AND (?6 IS NULL OR instr(traceparent, ?6) > 0) AS wanted FROM jobs ` +
    "WHERE seq < ?1 AND (?2 OR owner IS ?3) ORDER BY seq DESC LIMIT ?7) " +
    `SELECT ${listed}, seq IN (SELECT seq FROM examined WHERE wanted) AS wanted, (SELECT count(*) FROM examined) AS examined ` +
    "FROM jobs WHERE seq IN (SELECT seq FROM examined WHERE wanted UNION ALL SELECT min(seq) FROM examined) ORDER BY seq DESC LIMIT ?8",
  listOne: `SELECT ${listed} FROM jobs WHERE id = ? AND seq < ? AND (? OR owner IS ?)`,
  listed: `SELECT ${listed} FROM jobs WHERE id = ?`,
  input: "SELECT input FROM jobs WHERE id = ?",
  attempts: "SELECT phase, attempt, started, ended, outcome, worker, history FROM jobs WHERE id = ?",
  deadLetters:
    `SELECT id, tool, owner, attempt, ended, detail, content FROM jobs WHERE ${dead} ` +
    "ORDER BY due DESC, seq DESC LIMIT ?",
  dropEventsOfDead: "DELETE FROM events WHERE job = (SELECT seq FROM jobs WHERE id = ? AND phase = 4)",
  spare: "UPDATE jobs SET due = max(due, ?), max_attempts = max_attempts + 1 WHERE phase > 0 AND phase = 2",
  extend: "UPDATE jobs SET due = max(due, ?) WHERE phase > 0 AND phase = 2",
  redrive:
    `UPDATE jobs SET phase = ${inLine}, line = ${lastInLine}, early = ? - head_start, due = ?, attempt = 0, started = NULL, ended = NULL, expires = NULL, ` +
    "outcome = NULL, content = NULL WHERE id = ? AND phase = 4 RETURNING limit_key",
} as const;

/** The statements of one connection. */
export type Statements = { readonly [name in keyof typeof statementTexts]: StatementSync };

/** Prepares all statements; the tables must be up to date. */
export function prepareAll(database: DatabaseSync): Statements {
  const entries = Object.entries(statementTexts).map(([name, text]) => [name, database.prepare(text)] as const);
  const statements = Object.fromEntries(entries) as Statements;
  statements.claimable.setReturnArrays(true);
  statements.oldest.setReturnArrays(true);
  statements.oldestUnsuspected.setReturnArrays(true);
  statements.earliest.setReturnArrays(true);
  statements.earliestUnsuspected.setReturnArrays(true);
  return statements;
}
