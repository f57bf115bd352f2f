import { spawnSync } from "node:child_process";
import { appendFileSync, chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";

/** A server that is followed. */
interface Primary {
  /** Folder of its data. */
  readonly data: string;
  url(): string;
}

/** The data of a stopped server are a whole copy of it, which then follows it. */
export function copyAsStandby(primary: Primary, data: string, { uid }: { readonly uid?: number }): void {
  cpSync(primary.data, data, { recursive: true });
  follow(primary, data, uid);
}

/** The same of a server that runs, as a base backup. */
export async function backUpAsStandby(
  primary: Primary,
  data: string,
  { uid }: { readonly uid?: number },
): Promise<void> {
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
  follow(primary, data, uid);
}

function follow(primary: Primary, data: string, uid: number | undefined): void {
  chmodSync(data, 0o700);
  rmSync(join(data, "postmaster.pid"), { force: true });
  writeFileSync(join(data, "standby.signal"), "");
  appendFileSync(join(data, "postgresql.auto.conf"), `primary_conninfo = '${primary.url()}'\n`);
  if (uid !== undefined) spawnSync("chown", ["-R", `${uid}:${uid}`, data]);
}
