/**
 * Writes what a job writes, as far as rights and room on the disk go, and undoes it. A transaction would stay open behind
 * an error, so the row goes with an exception that is caught.
 */
export const probeTexts = {
  probe: `DO $probe$ BEGIN
    INSERT INTO {jobs} (id, phase, due, attempt, max_attempts, ttl, tool) SELECT '', 3, 0, 0, 0, 0, '' WHERE false;
    UPDATE {jobs} SET due = due WHERE false;
    DELETE FROM {jobs} WHERE false;
    UPDATE {events} SET body = body WHERE false;
    DELETE FROM {events} WHERE false;
    INSERT INTO {events} (job, sequence, body)
      SELECT -1, 0, string_agg(md5(random()::text), '') FROM generate_series(1, 256);
    RAISE EXCEPTION SQLSTATE 'TN001';
  EXCEPTION WHEN SQLSTATE 'TN001' THEN NULL; END $probe$`,
} as const;
