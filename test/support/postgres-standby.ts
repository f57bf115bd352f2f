import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { followPrimary, type Identity } from "./postgres-data.ts";

/** A server that is followed. */
interface Primary {
  /** Folder of its data. */
  readonly data: string;
  readonly port: number;
  url(): string;
}

/** Copies the data of a server that runs, as a base backup, for its standby. */
export async function backUpAsStandby(primary: Primary, data: string, identity: Identity): Promise<void> {
  const client = new pg.Client(primary.url());
  await client.connect();
  try {
    await client.query("SELECT pg_backup_start('standby', true)");
    // Files that come and go meanwhile are made again from the log.
    spawnSync("cp", ["-R", primary.data, data], { stdio: "ignore" });
    const { rows } = await client.query<{ labelfile: string }>("SELECT labelfile FROM pg_backup_stop(false)");
    writeFileSync(join(data, "backup_label"), rows[0]?.labelfile ?? "");
  } finally {
    await client.end();
  }
  // The standby gets the log from the server itself.
  rmSync(join(data, "pg_wal"), { recursive: true, force: true });
  mkdirSync(join(data, "pg_wal/archive_status"), { recursive: true });
  followPrimary(primary, data, identity);
}
