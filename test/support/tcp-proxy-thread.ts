import { once } from "node:events";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
import { startTcpProxy, type TcpProxy } from "./tcp-proxy.ts";

type Command = readonly [name: "freeze" | "thaw" | "cut"] | readonly [name: "lead", port: number];

/** A proxy that a busy test does not slow down, since it is in a thread of its own. */
export interface TcpProxyThread extends Pick<TcpProxy, "port"> {
  /** Resolves when the command has been carried out. */
  tell(...command: Command): Promise<void>;
  close(): Promise<void>;
}

export async function startTcpProxyThread(target: number): Promise<TcpProxyThread> {
  const worker = new Worker(new URL(import.meta.url), { workerData: target });
  const [port] = (await once(worker, "message")) as [number];
  return {
    port,
    async tell(...command) {
      const done = once(worker, "message");
      worker.postMessage(command);
      await done;
    },
    async close() {
      await worker.terminate();
    },
  };
}

if (!isMainThread && parentPort !== null && typeof workerData === "number") {
  const proxy = await startTcpProxy(workerData);
  const port = parentPort;
  port.on("message", ([name, target]: Command) => {
    if (name === "lead") proxy.lead(target ?? 0);
    else proxy[name]();
    port.postMessage("done");
  });
  port.postMessage(proxy.port);
}
