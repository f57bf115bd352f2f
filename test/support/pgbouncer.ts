import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresPassword, postgresUser, type PostgresServer } from "./postgres-server.ts";
import { freePort } from "./free-port.ts";

/** A pooler in transaction mode in front of a server. */
export interface Pooler {
  /** The server's address with the pooler's port. */
  url(schema: string): string;
  stop(): Promise<void>;
}

/** The reason why there is no pooler here; undefined when there is one. */
export const noPooler: string | undefined =
  spawnSync("pgbouncer", ["--version"]).error === undefined
    ? undefined
    : "needs pgbouncer: scripts/install-test-tools.sh (Debian)";

/** Starts PgBouncer with few connections, so that each serves several transactions of several clients. */
export async function startPooler(server: PostgresServer): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), "tenon-pgbouncer-"));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(
    file,
    `[databases]
postgres = host=127.0.0.1 port=${server.port} user=${postgresUser} password=${postgresPassword}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
ignore_startup_parameters = extra_float_digits
`,
  );
  const identity = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn("pgbouncer", [file], { ...identity, stdio: ["ignore", "ignore", "pipe"] });
  const ended = once(child, "exit");
  let log = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      log += text;
      if (log.includes("process up")) resolve();
    });
    void ended.then(() => reject(new Error(`pgbouncer ended: ${log}`)));
  });
  return {
    url: (schema) => server.url(schema).replace(`:${server.port}/`, `:${port}/`),
    async stop() {
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
