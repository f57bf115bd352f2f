import { afterAll, beforeAll, vi } from "vitest";
import { openPostgresStore } from "../../../../../../runtime/executor/store/postgres/open-postgres.ts";
import { startPostgres, type PostgresServer } from "../../../../../support/postgres-server.ts";
import { describeStore } from "../conformance.ts";

let server: PostgresServer;
let schemas = 0;
beforeAll(async () => {
  // Five seconds, the default, may not be enough to connect on a busy machine.
  vi.stubEnv("PGCONNECT_TIMEOUT", "60");
  server = await startPostgres();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.stop();
});

describeStore("postgres", {
  place: () => {
    const schema = `s${schemas++}`;
    return { open: (options) => openPostgresStore(server.url(schema), options) };
  },
  durable: true,
  // A sequence is a thousand round trips. More of them: TENON_MODEL_RUNS=200.
  modelRuns: 10,
});
