// The local platform in this process: what `tenon platform` runs, for tests and examples.
//
//   const platform = await startLocalPlatform({ folder, port: 0, services: [{ definition: serviceJson }] });
//   process.env.PLATFORM_BASE_URL = platform.baseUrl("Prime numbers");   // what a worker or service is told
//   await fetch(`${platform.url}/services2/prime-numbers/jobs`, {        // 200 with the result, else 202
//     method: "POST", headers: { "content-type": "application/json", timeout: "10" }, body: '{"number": 7}' });
//   await platform.stop();
//
// A worker that fetches below `${platform.url}/<key>` makes the service `<key>` when there is none, so a batch service
// needs no `services` entry; one that is called over REST needs its `url`. Started again on the same folder, it goes on
// where it was. docs/platform.md has the routes.
import { statfsSync } from "node:fs";
import { join, resolve } from "node:path";
import { openSqliteStore } from "../../runtime/executor/store/sqlite/sqlite.ts";
import { makeStoreFolder } from "../../runtime/executor/store/sqlite/store-folder.ts";
import { ArtifactRoutes } from "./routes/artifact-routes.ts";
import { ArtifactStore } from "./stored/artifact-store.ts";
import { AspectRoutes } from "./routes/aspect-routes.ts";
import { AspectStore } from "./stored/aspect-store.ts";
import { workerPath } from "./routes/exchange.ts";
import type { Exchange } from "./routes/exchange.ts";
import { createFaultSwitch, noFaults } from "./routes/fault-switch.ts";
import type { Faults } from "./routes/fault-switch.ts";
import { startForwardProxy } from "./traffic/forward-proxy.ts";
import { startHttp } from "./routes/http-server.ts";
import type { RunningHttp } from "./routes/http-server.ts";
import { JobHub } from "./jobs/job-hub.ts";
import type { NewsListener } from "./jobs/job-hub.ts";
import { JobQueue } from "./jobs/job-queue.ts";
import type { Strangers } from "./routes/job-access.ts";
import { JobRoutes } from "./routes/job-routes.ts";
import { removeOperatorNote, writeOperatorNote } from "./operator-note.ts";
import { JobTokens, loadSecret } from "./jobs/job-token.ts";
import { OnceKeys } from "./stored/once-keys.ts";
import { openPlatformDatabase } from "./stored/platform-database.ts";
import { createRecorder } from "./traffic/recorder.ts";
import { startRestCallers } from "./services/rest-callers.ts";
import { answerExchange, createRoutes, isRouteName } from "./routes/routes.ts";
import { runWorkers } from "./workers/run-workers.ts";
import type { WorkerOptions } from "./workers/run-workers.ts";
import { ServiceRegistry } from "./services/service-registry.ts";
import type { NewService, RegisteredService } from "./services/service-registry.ts";
import { ServiceRoutes } from "./routes/service-routes.ts";
import { sidecarRoutes } from "./routes/sidecar-routes.ts";
import { WorkerAskers } from "./workers/worker-askers.ts";
import { WorkerLeases } from "./workers/worker-leases.ts";

/** Milliseconds that workers have to find a platform again that was away. */
const leastGrace = 5000;

export interface LocalPlatformOptions {
  /** Data folder; created when missing. Only one platform can use it at a time. */
  readonly folder: string;
  /** Default `127.0.0.1`. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Services to register at the start. */
  readonly services?: readonly NewService[];
  /** Seconds of a worker's lease without renewal; default 15. */
  readonly leaseSeconds?: number;
  /** Port of the forward-by-header proxy, 0 for any; default: no proxy. */
  readonly proxyPort?: number | undefined;
  /** File that records every exchange as a line of JSON. */
  readonly record?: string | undefined;
  /** Faults to inject into calls of workers and services. */
  readonly faults?: Faults | undefined;
  /** Workers that run under the platform: started with it, restarted when they fail, ended before it. */
  readonly workers?: WorkerOptions | undefined;
  /** Rights of callers without a token; default `all`. */
  readonly strangers?: Strangers | undefined;
  /** Milliseconds by which leases are measured, for tests; default a clock that only goes forward. */
  readonly now?: () => number;
}

export interface LocalPlatform {
  /** Address of the platform, without a slash at the end. */
  readonly url: string;
  /** `PLATFORM_PROXY_URL`, if there is a proxy. */
  readonly proxyUrl: string | undefined;
  readonly services: readonly RegisteredService[];
  /** `PLATFORM_BASE_URL` of a service, by its name, key or URN. Throws `ToolError` for an unknown one. */
  baseUrl(service: string): string;
  register(service: NewService): RegisteredService;
  /** Calls `listener` with all news of jobs. Returns a function that unsubscribes. */
  onNews(listener: NewsListener): () => void;
  /**
   * Stops accepting and giving jobs, ends open connections, and closes the store. Running jobs go on with their
   * workers.
   */
  stop(): Promise<void>;
}

const usualLease = 15;
/** Number of finished jobs that are kept. */
const maxFinished = 100_000;

/** Bytes below which a disk counts as full. */
const leastRoom = 1024 * 1024;

/** True when jobs and artifacts can still be written; true where the system does not tell. */
function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= leastRoom;
  } catch {
    return true;
  }
}

/** Starts a platform. Throws `StoreError` when the folder is in use or cannot be used, `ListenError` for the port. */
export async function startLocalPlatform(options: LocalPlatformOptions): Promise<LocalPlatform> {
  const { host = "127.0.0.1", port = 0, leaseSeconds = usualLease } = options;
  const folder = resolve(options.folder);
  makeStoreFolder(folder);
  // Opened first: its lock keeps a second platform out of the folder.
  const store = openSqliteStore(join(folder, "jobs.db"), {
    maxFinished,
    leaseGrace: Math.max(leaseSeconds * 1000, leastGrace),
    ...(options.now !== undefined && { now: options.now }),
  });
  const database = openPlatformDatabase(folder);
  const tokens = new JobTokens(loadSecret(folder));
  const hub = new JobHub();
  const queue = new JobQueue({ store, tokens, hub, leaseSeconds });
  const services = new ServiceRegistry(database, isRouteName);
  const workers = new WorkerLeases(queue);
  const once = new OnceKeys(database);
  const jobs = new JobRoutes({ queue, hub, tokens, services });
  const faults = createFaultSwitch(options.faults ?? noFaults, queue, tokens);
  const askers = new WorkerAskers();
  const recorder = options.record === undefined ? undefined : createRecorder(options.record);
  let ready = true;
  const routes = createRoutes({
    services,
    hub,
    jobs,
    isReady: () => ready && hasRoom(folder),
    tokens,
    strangers: options.strangers ?? "all",
    faults,
    askers,
    known: queue.known,
    sidecar: sidecarRoutes({ queue, tokens, services, workers, askers, repeated: faults }),
    artifacts: new ArtifactRoutes({
      queue,
      tokens,
      once,
      artifacts: new ArtifactStore(join(folder, "artifacts"), database, once),
    }),
    aspects: new AspectRoutes({ queue, tokens, once, aspects: new AspectStore(database) }),
    serviceRoutes: new ServiceRoutes({ services, jobs, tokens }),
  });
  const answer = (exchange: Exchange): void => answerExchange(routes, exchange);
  const handle = (exchange: Exchange): void => {
    recorder?.watch(exchange);
    if (!faults.isOn) answer(exchange);
    else void faults.meet(exchange, answer).catch((error: unknown) => exchange.fail(error));
  };
  const closeStores = async (): Promise<void> => {
    await store.close();
    database.close();
  };
  const reaper = setInterval(() => void queue.reap().catch(() => {}), queue.rounds.every);
  let http: RunningHttp | undefined;
  try {
    for (const service of options.services ?? []) services.register(service);
    const { workers: wanted } = options;
    const orders = wanted?.orders.map(({ service, command }) => ({
      service: services.forWorker(service).key,
      command,
    }));
    http = await startHttp({ host, port }, handle);
    const proxy =
      options.proxyPort === undefined ? undefined : await startForwardProxy({ host, port: options.proxyPort });
    const callers = startRestCallers(services, queue, hub);
    const { url, close } = http;
    writeOperatorNote(folder, { url, token: tokens.operator });
    const running =
      wanted === undefined
        ? undefined
        : runWorkers(orders ?? [], wanted, workers, (service, worker) => url + workerPath(service, worker));
    let stopped: Promise<void> | undefined;
    const stop = async (): Promise<void> => {
      // While they end, they still post results and release jobs.
      await running?.stop();
      ready = false;
      clearInterval(reaper);
      queue.drain();
      hub.close();
      await Promise.all([close(), proxy?.close(), callers.stop()]);
      await recorder?.close();
      removeOperatorNote(folder);
      await closeStores();
    };
    return {
      url,
      proxyUrl: proxy?.url,
      get services() {
        return services.all;
      },
      baseUrl: (name) => `${url}/${services.get(name).key}`,
      register: (service) => services.register(service),
      onNews: (listener) => hub.followAll(listener),
      stop: () => (stopped ??= stop()),
    };
  } catch (error) {
    clearInterval(reaper);
    await http?.close();
    await closeStores();
    throw error;
  }
}
