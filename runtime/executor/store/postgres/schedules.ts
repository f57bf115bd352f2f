import { toScheduleRow, type ScheduleColumns, type ScheduleTable } from "../schedule-table.ts";
import type { Database } from "./connection/database.ts";
import { toToolError } from "./connection/postgres-error.ts";
import { Tables } from "./tables.ts";

/**
 * Schedules that all replicas share.
 *
 * @param now Clock of a test; otherwise the database's own clock counts.
 */
export function postgresSchedules(database: Database, now: (() => number) | undefined): ScheduleTable {
  let made: Tables | undefined;
  const run = async <T>(operation: (tables: Tables) => Promise<T>): Promise<T> => {
    try {
      // The tables are opened on demand, since most services have no schedules.
      return await operation((made ??= new Tables(database, now)));
    } catch (error) {
      throw toToolError(error, database.address.shown, database.address.schema);
    }
  };
  return {
    plan: (service, schedules) =>
      run(async (tables) => {
        const column = <T>(of: (schedule: (typeof schedules)[number]) => T): readonly T[] => schedules.map(of);
        await tables.query(
          tables.sql.plan,
          service,
          column(({ tool }) => tool),
          column(({ number }) => number),
          column(({ times }) => times),
          column(({ definition }) => definition),
          column(({ next }) => next),
        );
      }),
    read: (service) =>
      run(async (tables) => {
        const rows = await tables.timed<ScheduleColumns & { readonly now: number }>(tables.sql.planned, service);
        return {
          now: rows[0]?.now ?? 0,
          rows: rows.filter(({ tool }) => (tool as string | null) !== null).map(toScheduleRow),
        };
      }),
    move: ({ tool, number, definition, from, to, job }) =>
      run(async (tables) => {
        const step = [tool, number, definition, from, to ?? null, job?.at ?? null, job?.id ?? null];
        return (await tables.query(tables.sql.move, ...step)).length === 1;
      }),
    paid: ({ tool, number }, job) =>
      run(async (tables) => void (await tables.query(tables.sql.paid, tool, number, job))),
    pause: ({ tool, number }, next) =>
      run(async (tables) => (await tables.query(tables.sql.pause, tool, number, next ?? null)).length === 1),
  };
}
