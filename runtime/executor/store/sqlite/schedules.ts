import type { DatabaseSync, StatementSync } from "node:sqlite";
import { toScheduleRow, type ScheduleColumns, type ScheduleTable } from "../schedule-table.ts";

type Run = <T>(operation: () => T) => Promise<T>;

const texts = {
  others: "SELECT tool, number FROM schedules WHERE service = ?",
  drop: "DELETE FROM schedules WHERE tool = ? AND number = ?",
  plan: `INSERT INTO schedules (tool, number, service, times, definition, next, paused) VALUES (?, ?, ?, ?, ?, ?, 0)
    ON CONFLICT (tool, number) DO UPDATE SET service = excluded.service, definition = excluded.definition,
      next = CASE WHEN times = excluded.times THEN next ELSE excluded.next END, times = excluded.times`,
  planned: `SELECT tool, number, definition, next, last, last_job, owes, paused FROM schedules WHERE service = ?
    ORDER BY tool, number`,
  move: `UPDATE schedules SET next = ?, last = coalesce(?, last), last_job = coalesce(?, last_job), owes = ?
    WHERE tool = ? AND number = ? AND definition = ? AND next = ? AND NOT paused AND owes IS NULL`,
  paid: "UPDATE schedules SET owes = NULL WHERE tool = ? AND number = ? AND owes = ?",
  pause:
    "UPDATE schedules SET paused = ?, next = CASE WHEN paused THEN coalesce(?, next) ELSE next END WHERE tool = ? AND number = ?",
} as const;

/**
 * Schedules in a SQLite file.
 *
 * @param run Runs an operation inside the next transaction.
 */
export function sqliteSchedules(database: DatabaseSync, now: () => number, run: Run): ScheduleTable {
  // Statements are prepared on demand, since most services have no schedules.
  const known = new Map<string, StatementSync>();
  const sql = (name: keyof typeof texts): StatementSync => {
    const statement = known.get(name) ?? database.prepare(texts[name]);
    known.set(name, statement);
    return statement;
  };
  return {
    plan: (service, schedules) =>
      run(() => {
        const stays = new Set(schedules.map(({ tool, number }) => `${tool} ${number}`));
        for (const { tool, number } of sql("others").all(service) as { tool: string; number: number }[])
          if (!stays.has(`${tool} ${number}`)) sql("drop").run(tool, number);
        for (const { tool, number, times, definition, next } of schedules)
          sql("plan").run(tool, number, service, times, definition, next);
      }),
    read: (service) =>
      run(() => ({
        now: now(),
        rows: (sql("planned").all(service) as unknown as ScheduleColumns[]).map(toScheduleRow),
      })),
    move: ({ tool, number, definition, from, to, job }) =>
      run(() => {
        const [id, at] = [job?.id ?? null, job?.at ?? null];
        return sql("move").run(to ?? null, at, id, id, tool, number, definition, from).changes === 1;
      }),
    paid: ({ tool, number }, job) => run(() => void sql("paid").run(tool, number, job)),
    pause: ({ tool, number }, next) =>
      run(() => sql("pause").run(next === undefined ? 1 : 0, next ?? null, tool, number).changes === 1),
  };
}
