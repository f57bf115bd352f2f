/** Starts the stub by hand: `npm run stub`, then give the printed line to the service. */
import { startStub } from "./start-stub.ts";

const stub = await startStub({ port: Number(process.env["STUB_PORT"] ?? 8095), latency: 50, failEvery: 7 });
console.log(`GO_SERVICE_URL=${stub.url}`);
