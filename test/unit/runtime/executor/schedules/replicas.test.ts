import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPostgresStore } from "../../../../../runtime/executor/store/postgres/open-postgres.ts";
import { createChance } from "../../../../chaos/chance.ts";
import { startPostgres, type PostgresServer } from "../../../../support/postgres-server.ts";
import { sqlitePlace } from "../store/sqlite-place.ts";
import { runKilledReplicas } from "./killed-replicas.ts";

/** `npm run chaos:schedules` takes more. */
const turns = Number(process.env["SCHEDULE_TURNS"] ?? 10);
const timeout = 3_600_000;

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

describe("replicas that are killed at any moment fire nothing twice and lose nothing", { retry: 0 }, () => {
  test("eight of them on PostgreSQL", { timeout }, async () => {
    const audit = await runKilledReplicas({
      open: (now) => openPostgresStore(server.url("schedules"), { now, maxFinished: 100_000 }),
      replicas: 8,
      turns,
      random: createChance(1).next,
      moves: createChance(3).next,
    });
    expect(audit).toMatchObject({ twice: [], lost: [], unknown: [] });
    expect(audit.kills).toBeGreaterThan(turns);
    expect(audit.firings).toBeGreaterThan(turns);
  });

  test("one after the other on SQLite", { timeout }, async () => {
    const place = sqlitePlace();
    try {
      const audit = await runKilledReplicas({
        open: async (now) => place.open({ now }),
        replicas: 1,
        turns: turns * 4,
        random: createChance(2).next,
        moves: createChance(4).next,
      });
      expect(audit).toMatchObject({ twice: [], lost: [], unknown: [] });
      expect(audit.kills).toBeGreaterThan(turns);
      expect(audit.firings).toBeGreaterThan(turns);
    } finally {
      place.remove();
    }
  });
});
