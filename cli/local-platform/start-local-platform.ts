// The local platform in this process: what `tenon platform` runs, for tests and examples.
//
//   const platform = await startLocalPlatform({ folder, port: 0, services: [{ definition: serviceJson }] });
//   process.env.PLATFORM_BASE_URL = platform.baseUrl("Prime numbers");   // for the environment of a worker or service
//   await fetch(`${platform.url}/services2/prime-numbers/jobs`, {        // 200 with the result, else 202
//     method: "POST", headers: { "content-type": "application/json", timeout: "10" }, body: '{"number": 7}' });
//   await platform.stop();
//
// A worker that fetches below `${platform.url}/<key>` makes the service `<key>` when there is none, so a batch service
// needs no `services` entry; one that is called over REST needs its `url`. Started again on the same folder, it goes on
// where it was. docs/platform.md has the routes.
import { resolve } from "node:path";
import { makeStoreFolder } from "../../runtime/executor/store/sqlite/store-folder.ts";
import { ArtifactRoutes } from "./routes/artifact-routes.ts";
import { UploadClaims } from "./stored/upload-claims.ts";
import { ArtifactStore } from "./stored/artifact-store.ts";
import { AspectRoutes } from "./routes/aspect-routes.ts";
import { AspectStore } from "./stored/aspect-store.ts";
import { workerPath } from "./routes/request-path.ts";
import type { Exchange } from "./routes/exchange.ts";
import { createFaultSwitch, noFaults, type Faults } from "./routes/fault-switch.ts";
import { startForwardProxy } from "./traffic/forward-proxy.ts";
import { startHttp, type RunningHttp } from "./routes/http-server.ts";
import { JobHub } from "./jobs/job-hub.ts";
import type { NewsListener } from "./jobs/job-news.ts";
import { JobQueue } from "./jobs/job-queue.ts";
import type { Strangers } from "./routes/job-access.ts";
import { JobRoutes } from "./routes/job-routes.ts";
import { removeOperatorNote, writeOperatorNote } from "./operator-note.ts";
import { JobRelay } from "./jobs/job-relay.ts";
import { JobTokens } from "./jobs/job-token.ts";
import { openStores } from "./open-stores.ts";
import { hasRoom } from "./stored/folder-bytes.ts";
import { OnceKeys } from "./stored/once-keys.ts";
import { createRecorder, type RecordingError } from "./traffic/recorder.ts";
import { startRestCallers } from "./services/rest-callers.ts";
import { answerExchange, createRoutes, isRouteName } from "./routes/routes.ts";
import { runWorkers, type WorkerOptions } from "./workers/run-workers.ts";
import { startServiceSchedules } from "./services/service-schedules.ts";
import type { RegisteredService } from "./services/known-services.ts";
import { ServiceRegistry, type NewService } from "./services/service-registry.ts";
import { ServiceRoutes } from "./routes/service-routes.ts";
import { messagesRoute } from "./routes/message-routes.ts";
import { only, sidecarRoutes } from "./routes/sidecar-routes.ts";
import { parkRoute, stepRoutes } from "./routes/step-routes.ts";
import { WorkerAskers } from "./workers/worker-askers.ts";
import { WorkerLeases } from "./workers/worker-leases.ts";

/** Milliseconds that workers get to reconnect to a platform after its restart. */
const leastGrace = 5000;

export interface LocalPlatformOptions {
  /** Data folder; created when missing. Only one platform can use it at a time, unless a separate database is used. */
  readonly folder: string;
  /** Address of the PostgreSQL database of a platform with replicas; default: everything is in the folder. */
  readonly store?: string | undefined;
  /** The secret that replicas share (`TENON_PLATFORM_KEY`); default: a secret in the folder. */
  readonly key?: string | undefined;
  /** Folder or bucket (`s3://BUCKET/PREFIX`) of artifacts; default: in the folder. */
  readonly artifacts?: string | undefined;
  /** Milliseconds to wait for a database whose server cannot be reached; default none. */
  readonly patience?: number;
  /** Default `127.0.0.1`. */
  readonly host?: string;
  /** Names in `Host` that are allowed in addition to addresses and `localhost`; default none. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Gets lines for the operator of the platform; default: they are dropped. */
  readonly warn?: ((line: string) => void) | undefined;
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
  /** Called once, when an exchange cannot be recorded; `stop` then rejects with the same error. */
  readonly recordFailed?: ((error: RecordingError) => void) | undefined;
  /** Faults to inject into calls of workers and services. */
  readonly faults?: Faults | undefined;
  /** Workers that the platform runs: started with it, restarted when they fail, ended before it. */
  readonly workers?: WorkerOptions | undefined;
  /** Rights of callers without a token; default `all`. */
  readonly strangers?: Strangers | undefined;
  /** Clock for leases in milliseconds, for tests; default: a monotonic clock. */
  readonly now?: () => number;
}

export interface LocalPlatform {
  /** Address of the platform, without a slash at the end. */
  readonly url: string;
  /** `PLATFORM_PROXY_URL`, if there is a proxy. */
  readonly proxyUrl: string | undefined;
  readonly services: readonly RegisteredService[];
  /** Returns `PLATFORM_BASE_URL` for a service, by its name, key or URN. Throws `ToolError` for an unknown service. */
  baseUrl(service: string): string;
  register(service: NewService): Promise<RegisteredService>;
  /** Calls `listener` with all notifications of jobs that this process makes. Returns a function that unsubscribes. */
  onNews(listener: NewsListener): () => void;
  /**
   * Stops accepting and giving jobs, ends open connections, and closes the store. Workers continue their running jobs.
   */
  stop(): Promise<void>;
}

const usualLease = 15;

/** Starts a platform. Throws `StoreError` when the folder is in use or cannot be used, `ListenError` for the port. */
export async function startLocalPlatform(options: LocalPlatformOptions): Promise<LocalPlatform> {
  const { host = "127.0.0.1", port = 0, leaseSeconds = usualLease, allowedHosts } = options;
  const folder = resolve(options.folder);
  makeStoreFolder(folder);
  const leaseGrace = Math.max(leaseSeconds * 1000, leastGrace);
  const stores = await openStores({ ...options, folder, leaseGrace });
  const { store, tables, bytes, shared } = stores;
  const tokens = new JobTokens(stores.secret, stores.hasSharedSecret);
  const hub = new JobHub(shared && new JobRelay(shared));
  const queue = new JobQueue({ store, tokens, hub, leaseSeconds });
  const services = await ServiceRegistry.open(tables, isRouteName);
  const workers = new WorkerLeases(queue);
  const once = new OnceKeys(tables);
  const jobs = new JobRoutes({ queue, hub, tokens, services });
  const faults = createFaultSwitch(options.faults ?? noFaults, queue, tokens);
  const askers = new WorkerAskers();
  const recorder = options.record === undefined ? undefined : createRecorder(options.record, options.recordFailed);
  let ready = true;
  const routes = createRoutes({
    services,
    hub,
    jobs,
    async notReady() {
      if (!ready) return "draining";
      const isWell = hasRoom(folder) && bytes.hasRoom() && (await store.trouble?.()) === undefined;
      return isWell ? undefined : "unavailable";
    },
    tokens,
    strangers: options.strangers ?? "all",
    faults,
    askers,
    known: queue.known,
    sidecar: sidecarRoutes({ queue, tokens, services, workers, askers, repeated: faults }),
    kept: {
      steps: stepRoutes({ queue, tokens }),
      messages: messagesRoute({ queue, tokens }),
      park: only("POST", parkRoute({ queue, tokens })),
    },
    artifacts: new ArtifactRoutes({
      queue,
      tokens,
      artifacts: new ArtifactStore(bytes, tables, once),
      claims: new UploadClaims(tables),
    }),
    aspects: new AspectRoutes({ queue, tokens, aspects: new AspectStore(tables, once) }),
    serviceRoutes: new ServiceRoutes({ services, jobs, tokens, store }),
  });
  const answer = (exchange: Exchange): void => answerExchange(routes, exchange);
  const handle = (exchange: Exchange): void => {
    recorder?.watch(exchange);
    if (!faults.isOn) answer(exchange);
    else void faults.meet(exchange, answer).catch((error: unknown) => exchange.fail(error));
  };
  const closeStores = async (): Promise<void> => {
    services.close();
    await stores.close();
  };
  const reaper = setInterval(() => void queue.reap().catch(() => {}), queue.rounds.every);
  let http: RunningHttp | undefined;
  try {
    for (const service of options.services ?? []) await services.register(service);
    const { workers: wanted } = options;
    const orders: { readonly service: string; readonly command: string }[] = [];
    for (const { service, command } of wanted?.orders ?? []) {
      orders.push({ service: (await services.forWorker(service)).key, command });
    }
    http = await startHttp({ host, port, allowedHosts, warn: options.warn }, handle);
    const proxy =
      options.proxyPort === undefined
        ? undefined
        : await startForwardProxy({ host, port: options.proxyPort, allowedHosts });
    const callers = startRestCallers({ services, queue, hub, warn: options.warn });
    const schedules = startServiceSchedules({ services, queue, store, warn: options.warn });
    const { url, close } = http;
    writeOperatorNote(folder, { url, token: tokens.operator });
    const running =
      wanted === undefined
        ? undefined
        : runWorkers(orders, wanted, workers, (service, worker) => url + workerPath(service, worker));
    let stopped: Promise<void> | undefined;
    const stop = async (): Promise<void> => {
      // Workers are stopped first, since while they end, they still post results and release jobs.
      await running?.stop();
      ready = false;
      clearInterval(reaper);
      schedules.stop();
      queue.drain();
      hub.close();
      await Promise.all([close(), proxy?.close(), callers.stop()]);
      try {
        await recorder?.close();
      } finally {
        removeOperatorNote(folder);
        await closeStores();
      }
    };
    return {
      url,
      proxyUrl: proxy?.url,
      get services() {
        return services.all;
      },
      baseUrl: (name) => `${url}/${services.known(name).key}`,
      register: (service) => services.register(service),
      onNews: (listener) => hub.followHere(listener),
      stop: () => (stopped ??= stop()),
    };
  } catch (error) {
    clearInterval(reaper);
    await http?.close();
    await closeStores();
    throw error;
  }
}
