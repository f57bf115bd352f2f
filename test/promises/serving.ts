import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fakeSidecar } from "../support/fake-sidecar.ts";
import { batchCaller } from "./callers/batch.ts";
import type { Caller } from "./callers/caller.ts";
import { mcpCaller } from "./callers/mcp.ts";
import { restCaller } from "./callers/rest.ts";
import { start, type Process } from "./process.ts";
import type { Built } from "./project.ts";
import type { Setting } from "./promise.ts";
import { audience, type Scene } from "./scene.ts";
import { startOf, type NodeLine, type Serve, type Store, type Way } from "./ways.ts";

/** A built service that runs, and its callers. */
export interface Serving {
  /** All processes of it: one, or a batch worker for each tool. */
  readonly processes: readonly Process[];
  /** Address of its REST routes; undefined where it has none. */
  readonly url: string | undefined;
  callerOf(serve: Serve): Caller;
  /** SIGTERM to all processes, and the codes that they end with. */
  end(): Promise<readonly (number | null)[]>;
  stop(): Promise<void>;
}

export const programs: Readonly<Record<NodeLine, string>> = {
  "Node 22.19": resolve("test/versions/node-22/node_modules/node/bin/node"),
  "Node 24": process.execPath,
};

/** Circumstances of a process, beside its way. */
export interface Circumstances {
  readonly setting: Setting;
  /** It has a collector of telemetry. */
  readonly isObserved: boolean;
}

/** Starts a built service as a way says. */
export async function startServing(built: Built, way: Way, how: Circumstances, scene: Scene): Promise<Serving> {
  const own = mkdtempSync(join(tmpdir(), "tenon-served-"));
  const env = { ...environment(own, scene, how), TENON_STORE: storeIn(way.store, own, scene) };
  const program = { node: programs[way.node], cwd: built.folder };
  const launch = (flags: readonly string[], more: Readonly<Record<string, string>>): Process =>
    start(["--enable-source-maps", built.file, ...flags], { ...program, env: { ...env, ...more } });
  const { definition } = built;
  const remove = (): void => rmSync(own, { recursive: true, force: true });

  if (way.serve === "batch") {
    const workers = new Map<string, ReturnType<typeof startWorker>>();
    const processes: Process[] = [];
    const startWorker = async (tool: string): ReturnType<typeof fakeSidecar> => {
      const sidecar = await fakeSidecar({ leases: 1 });
      const more = { SERVE: "startBatchService", PLATFORM_BASE_URL: sidecar.url };
      processes.push(launch(["--tool", tool], more));
      return sidecar;
    };
    const sidecarOf = (tool: string): ReturnType<typeof fakeSidecar> => {
      const known = workers.get(tool) ?? startWorker(tool);
      workers.set(tool, known);
      return known;
    };
    const end = (): Promise<readonly (number | null)[]> => Promise.all(processes.map((one) => one.stop()));
    return {
      processes,
      url: undefined,
      callerOf: () => batchCaller(sidecarOf),
      end,
      async stop() {
        await end();
        for (const sidecar of workers.values()) await (await sidecar).close();
        remove();
      },
    };
  }

  const begin = startOf(way.serve);
  const flags = begin === "stdio" ? ["--with-mcp-stdio"] : begin === "startLambdaServer" ? ["--with-mcp"] : [];
  const process = launch(["--test-without-sidecar", ...flags], { SERVE: begin });
  const callers = new Map<Serve, Caller>();
  const once = (serve: Serve, make: () => Caller): Caller => {
    const caller = callers.get(serve) ?? make();
    callers.set(serve, caller);
    return caller;
  };
  const end = async (): Promise<readonly (number | null)[]> => [await process.stop()];
  const stop = async (): Promise<void> => {
    for (const caller of callers.values()) await caller.close().catch(() => {});
    await end();
    remove();
  };
  if (begin === "stdio") {
    const caller = mcpCaller({ revision: "2026-07-28", definition, connection: { process } });
    callers.set(begin, caller);
    return { processes: [process], url: undefined, callerOf: () => caller, end, stop };
  }
  const url = await addressOf(process);
  const over = (revision: "2025-11-25" | "2026-07-28"): Caller =>
    mcpCaller({ revision, definition, connection: { url: `${url}/mcp` } });
  return {
    processes: [process],
    url: begin === "registerMcp" ? undefined : url,
    callerOf(serve) {
      return once(serve, () => {
        if (serve === "MCP 2025-11-25, session") return over("2025-11-25");
        return serve === "MCP 2026-07-28" || serve === "registerMcp" ? over("2026-07-28") : restCaller(url);
      });
    },
    end,
    stop,
  };
}

/** The environment of a process: nothing of the test runner's. */
function environment(own: string, scene: Scene, { setting, isObserved }: Circumstances): Record<string, string> {
  const { PATH = "", HOME = "" } = process.env;
  const collector = {
    OTEL_EXPORTER_OTLP_ENDPOINT: scene.sink.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: setting === "guarded" ? "http/json" : "http/protobuf",
    OTEL_BSP_SCHEDULE_DELAY: "50",
  };
  const guarded = { TENON_AUTH_ISSUER: scene.issuerUrl, TENON_AUTH_AUDIENCE: audience };
  return {
    PATH,
    HOME,
    NO_COLOR: "1",
    HOST: "127.0.0.1",
    PORT: "0",
    ECHO_URL: scene.echoUrl,
    TENON_LOCAL_DIR: join(own, "local"),
    PLATFORM_SPOOL_DIR: join(own, "spool"),
    PLATFORM_SHUTDOWN_GRACE: "2",
    ...(isObserved && collector),
    ...(setting === "guarded" && guarded),
  };
}

function storeIn(store: Store, own: string, { postgres }: Scene): string {
  if (store === "SQLite") return `sqlite:${join(own, "jobs.sqlite")}`;
  return store === "PostgreSQL" ? postgres.url(`s${own.replace(/^.*-|\W/g, "").toLowerCase()}`) : "memory:";
}

/** The address that a server tells when it listens. */
async function addressOf({ changes, ended, stderr }: Process): Promise<string> {
  const find = (): string | undefined => /listens on (http:\/\/[^\s"]+)/.exec(stderr())?.[1];
  const failed = ended.then((code) => {
    throw new Error(`ended with ${code} before it listened:\n${stderr().slice(-4000)}`);
  });
  return Promise.race([changes.until(find, () => `does not listen:\n${stderr().slice(-4000)}`, 60_000), failed]);
}
