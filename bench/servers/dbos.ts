// A server whose answer is a workflow of DBOS with as many steps as asked for.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { reportServer } from "../lib/server-process.ts";

const workflow = DBOS.registerWorkflow(
  async ({ steps, text }: { readonly steps: number; readonly text: string }) => {
    let length = 0;
    for (let index = 0; index < steps; index++) {
      const kept = await DBOS.runStep(() => Promise.resolve({ index, text }), { name: "work" });
      length += kept.text.length;
    }
    return { length };
  },
  { name: "work" },
);
DBOS.setConfig({
  name: "bench",
  systemDatabaseUrl: process.env["BENCH_POSTGRES"] ?? "",
  systemDatabasePoolSize: 20,
  logLevel: "error",
  runAdminServer: false,
});
await DBOS.launch();
const server = createServer((request, response) => {
  void json(request)
    .then((body) => workflow(body as never))
    .then((result) => response.end(JSON.stringify(result)));
});
server.listen(0, "127.0.0.1", () => reportServer((server.address() as AddressInfo).port));
