// An author's own set-up with official instrumentations, as their guides have it: loaded by `node --import`.
import { register } from "node:module";
import { HttpInstrumentation } from "@opentelemetry/instrumentation-http";
import { PgInstrumentation } from "@opentelemetry/instrumentation-pg";
import { UndiciInstrumentation } from "@opentelemetry/instrumentation-undici";
import { NodeSDK } from "@opentelemetry/sdk-node";

register("@opentelemetry/instrumentation/hook.mjs", import.meta.url);
new NodeSDK({
  instrumentations: [new HttpInstrumentation(), new PgInstrumentation(), new UndiciInstrumentation()],
}).start();
