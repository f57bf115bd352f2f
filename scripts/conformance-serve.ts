/**
 * `npm run conformance:serve -- --port N`: builds the fixture service and serves it on loopback, MCP on `/mcp`, for
 * running the official suite against it. Ctrl-C ends it.
 */
import { once } from "node:events";
import { parseArgs } from "node:util";
import { buildFixture, startFixture } from "./conformance/fixture-service.ts";

const { values } = parseArgs({ options: { port: { type: "string", default: "8090" } } });
const port = Number(values.port);
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  console.error(`--port takes a number from 0 to 65535, not ${JSON.stringify(values.port)}.`);
  process.exit(2);
}
buildFixture();
const service = await startFixture(port);
console.log(`Conformance fixture: ${service.url}`);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => service.child.kill(signal));
if (service.child.exitCode === null) await once(service.child, "exit");
process.exit(service.child.exitCode ?? 0);
