// A collector that takes everything, or by its argument: `hanging` never answers, `slow` after ten seconds, `busy` by
// 503.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { reportServer } from "../lib/server-process.ts";

const manner = process.argv[2];
const server = createServer((request, response) => {
  request.resume();
  if (manner === "hanging") return;
  const answer = (): unknown =>
    response.writeHead(manner === "busy" ? 503 : 200, { "Content-Type": "application/x-protobuf" }).end();
  request.on("end", () => void (manner === "slow" ? setTimeout(answer, 10_000) : answer()));
});
server.listen(0, "127.0.0.1", () => reportServer((server.address() as AddressInfo).port));
