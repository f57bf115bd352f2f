import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const postgresUser = "tenon";
export const postgresPassword = "geheim-7";

/** The user as whom servers run; empty: the one of the tests. */
export interface Identity {
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * Folder with the data of an empty database, which the first server of a run makes: to copy it takes a tenth of the
 * processor time.
 */
export function initialised(binaries: string, identity: Identity): string {
  const { mtimeMs } = statSync(join(binaries, "initdb"));
  const key = createHash("sha256").update(`${binaries} ${mtimeMs}`).digest("hex").slice(0, 16);
  const folder = join(tmpdir(), `tenon-postgres-new-${key}-${process.getuid?.() ?? 0}`);
  const data = join(folder, "data");
  if (existsSync(data)) return data;
  const own = mkdtempSync(`${folder}-`);
  if (identity.uid !== undefined) chownSync(own, identity.uid, identity.uid);
  const secret = join(own, "password");
  writeFileSync(secret, postgresPassword);
  const made = join(own, "data");
  const words = ["-D", made, "-U", postgresUser, "--pwfile", secret, "-A", "scram-sha-256", "-E", "UTF8", "--no-sync"];
  const common = { ...identity, cwd: own, env: { LC_ALL: "C" } };
  const { status, stderr, error } = spawnSync(join(binaries, "initdb"), [...words, "--locale=C"], {
    ...common,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`initdb failed: ${stderr ?? String(error)}`);
  try {
    renameSync(own, folder);
  } catch {
    // Another worker was faster.
    rmSync(own, { recursive: true });
  }
  return data;
}

/** Copies the data of a database that no server has open. */
export function copyData(from: string, to: string, { uid }: Identity): void {
  cpSync(from, to, { recursive: true });
  chmodSync(to, 0o700);
  if (uid !== undefined) spawnSync("chown", ["-R", `${uid}:${uid}`, to]);
}

/** Copies the data of a stopped server for its standby, which then follows it. */
export function copyAsStandby(
  primary: { readonly data: string; readonly port: number },
  data: string,
  identity: Identity,
): void {
  copyData(primary.data, data, identity);
  followPrimary(primary, data, identity);
}

/** Makes a copy of a server's data those of its standby. */
export function followPrimary({ port }: { readonly port: number }, data: string, { uid }: Identity): void {
  chmodSync(data, 0o700);
  rmSync(join(data, "postmaster.pid"), { force: true });
  writeFileSync(join(data, "standby.signal"), "");
  const address = `host=127.0.0.1 port=${port} user=${postgresUser} password=${postgresPassword}`;
  appendFileSync(join(data, "postgresql.auto.conf"), `primary_conninfo = '${address}'\n`);
  if (uid !== undefined) spawnSync("chown", ["-R", `${uid}:${uid}`, data]);
}
