import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { startPostgres, type PostgresOptions, type PostgresServer } from "./postgres-server.ts";
import { startTcpProxyThread } from "./tcp-proxy-thread.ts";

/** A primary server and its synchronous standby, behind one address that always leads to the primary. */
export interface PostgresPair {
  url(schema?: string): string;
  /** SIGKILL of the primary. */
  kill(): Promise<void>;
  /** Starts the primary again, with its data. */
  start(): Promise<void>;
  /**
   * Kills the primary, and puts the standby in its place; what the primary has acknowledged is on it. A new standby is
   * there when this resolves.
   *
   * @param isSilent The machine of the primary is gone: open connections are not ended, and nothing comes over them
   */
  failOver(isSilent: boolean): Promise<void>;
  /** Kills the standby, and starts it again after a while; writes wait meanwhile. */
  dropStandby(milliseconds: number): Promise<void>;
  stop(): Promise<void>;
}

/** Milliseconds in which a standby must follow. */
const patience = 60_000;
/**
 * The primary acknowledges only what is on its standby, and waits while it is alone. The standby asks for the log again
 * at once, and the primary keeps enough of it for that.
 */
const settings = ["synchronous_standby_names=*", "wal_retrieve_retry_interval=200ms", "wal_keep_size=1GB"];

export async function startPostgresPair(options: PostgresOptions = {}): Promise<PostgresPair> {
  const all = { ...options, settings: [...settings, ...(options.settings ?? [])] };
  let primary = await startPostgres(all);
  let standby = await startPostgres({ ...all, standbyOf: primary });
  const proxy = await startTcpProxyThread(primary.port);
  await follow(primary);
  return {
    url: (schema) => primary.url(schema).replace(`:${primary.port}/`, `:${proxy.port}/`),
    kill: () => primary.kill(),
    async start() {
      await primary.start();
      await follow(primary);
    },
    async failOver(isSilent) {
      // Nothing leaves a machine that is gone. Processes of the server outlive the first of them for a moment, and
      // would show what is not on the standby.
      await proxy.tell("freeze");
      await primary.kill();
      await run(standby, "SELECT pg_promote(true)");
      const gone = primary;
      primary = standby;
      await proxy.tell("lead", primary.port);
      if (!isSilent) await proxy.tell("cut");
      await proxy.tell("thaw");
      await gone.stop();
      standby = await startPostgres({ ...all, standbyOf: primary });
      await follow(primary);
    },
    async dropStandby(milliseconds) {
      await standby.kill();
      await sleep(milliseconds);
      await standby.start();
      await follow(primary);
    },
    async stop() {
      await proxy.close();
      await standby.stop();
      await primary.stop();
    },
  };
}

/** Waits until a standby has all of the primary's data, and what follows. */
async function follow(primary: PostgresServer): Promise<void> {
  const [now] = await run<{ lsn: string }>(primary, "SELECT pg_current_wal_lsn() AS lsn");
  const question = `SELECT pid FROM pg_stat_replication WHERE sync_state = 'sync' AND replay_lsn >= '${now?.lsn}'`;
  for (const until = performance.now() + patience; (await run(primary, question)).length === 0; await sleep(20)) {
    if (performance.now() > until) throw new Error("The standby does not follow its primary server.");
  }
}

/** Runs a statement on a connection of its own. */
async function run<Row extends object>(server: PostgresServer, statement: string): Promise<readonly Row[]> {
  const client = new pg.Client(server.url());
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}
