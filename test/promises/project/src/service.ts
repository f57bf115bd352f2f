import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { createFetchHandler, loggingInit, registerMcp, Service, startBatchService, startLambdaServer } from "tenon";
import "./is-prime.js";
import "./tools.js";

loggingInit();
const service = new Service({
  name: "Promises",
  description: "Keeps what the documentation says.",
  onStart() {
    if (process.env["FAILS"] !== undefined) throw new Error("The database does not answer.");
    console.error("onStart was called");
  },
  onStop: () => console.error("onStop was called"),
});

/** Serves an application of its author's, until the process is told to end. */
function listen(app: Hono, path: string, stop: () => Promise<void>): void {
  const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => {
    console.error(`listens on http://127.0.0.1:${port}${path}`);
  });
  // A caller that takes a connection up again does not meet its end.
  if ("keepAliveTimeout" in server) server.keepAliveTimeout = 0;
  process.once("SIGTERM", () => {
    server.close();
    void stop().then(() => process.exit());
  });
}

const app = new Hono();
switch (process.env["SERVE"]) {
  case "createFetchHandler": {
    const handler = createFetchHandler(service, { basePath: "/api" });
    app.all("/api/*", ({ req }) => handler(req.raw));
    listen(app, "/api", () => handler.stop());
    break;
  }
  case "registerMcp": {
    const registered = registerMcp(app, service);
    listen(app, "", () => registered.stop());
    break;
  }
  case "startBatchService":
    await startBatchService(service);
    break;
  default:
    await startLambdaServer(service);
}
