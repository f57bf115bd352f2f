/** The platform of the sweep: `platform-process.js FOLDER PORT LEASE_SECONDS`. */
import { startLocalPlatform } from "../../cli/local-platform/start-local-platform.ts";

const [, , folder = "", port = "0", leaseSeconds = "1"] = process.argv;
const platform = await startLocalPlatform({
  folder,
  port: Number(port),
  leaseSeconds: Number(leaseSeconds),
  services: [{ definition: { name: "chaos" } }],
});
process.stderr.write(`platform listens on ${platform.url}\n`);
