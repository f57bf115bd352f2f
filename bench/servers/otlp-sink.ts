// A collector that takes everything, or with the argument `hanging` never answers.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { reportServer } from "../lib/server-process.ts";

const isHanging = process.argv.includes("hanging");
const server = createServer((request, response) => {
  request.resume();
  if (!isHanging) request.on("end", () => response.writeHead(200, { "Content-Type": "application/x-protobuf" }).end());
});
server.listen(0, "127.0.0.1", () => reportServer((server.address() as AddressInfo).port));
