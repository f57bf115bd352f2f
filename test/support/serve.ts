import { connect } from "node:net";
import { readConfig, type Environment, type ServerOptions } from "../../runtime/service/config/config.ts";
import { Service } from "../../runtime/service/service.ts";
import { startServer, type RunningServer } from "../../runtime/start/start-server.ts";
import type { Tool } from "../../runtime/service/tools/tool.ts";

export interface TestServer extends RunningServer {
  readonly port: number;
  /** Sends bytes as they are and resolves to everything that came back until the server closed, or fell silent. */
  raw(request: string | readonly (string | Uint8Array)[], patienceMs?: number): Promise<string>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
}

/** A real server on a port of the system's choice, with tools made by hand. */
export async function serve(
  tools: readonly Tool[],
  options: ServerOptions = {},
  env: Environment = {},
  flags: readonly string[] = ["--test-without-sidecar"],
): Promise<TestServer> {
  const config = readConfig({ HOST: "127.0.0.1", PORT: "0", ...env }, flags, options);
  const service = new Service({ name: "Test service", version: "1.2.3", description: "For tests." });
  const server = await startServer({ service, version: "1.2.3", tools }, config, options);
  const port = Number(new URL(server.url).port);
  return {
    ...server,
    port,
    raw: (request, patienceMs) => exchange(port, request, patienceMs),
    post: (path, body, headers = {}) =>
      fetch(server.url + path, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: typeof body === "string" || body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body),
      }),
    get: (path, headers = {}) => fetch(server.url + path, { headers }),
  };
}

/** A body as JSON, for tests that look into it. */
// oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects by what it compares
export async function json(response: Response): Promise<any> {
  return response.json();
}

/** Sends bytes to a port as they are; see {@link TestServer.raw}. */
export function exchange(
  port: number,
  request: string | readonly (string | Uint8Array)[],
  patienceMs = 2000,
): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => {
      for (const part of typeof request === "string" ? [request] : request) socket.write(part);
    });
    // A thread that was busy for so long reads what has come before it decides.
    socket.setTimeout(patienceMs, () => {
      const { bytesRead } = socket;
      setImmediate(() => setImmediate(() => socket.bytesRead === bytesRead && socket.destroy()));
    });
    socket.on("data", (chunk) => (answer += chunk.toString("latin1")));
    socket.on("error", () => {});
    socket.on("close", () => resolve(answer));
  });
}
