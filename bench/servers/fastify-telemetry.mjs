// Fastify with the official SDK and instrumentations, as their guides set them up.
import { register } from "node:module";
import { FastifyOtelInstrumentation } from "@fastify/otel";
import { HttpInstrumentation } from "@opentelemetry/instrumentation-http";
import { NodeSDK } from "@opentelemetry/sdk-node";

const instrumentations = [
  new HttpInstrumentation(),
  new FastifyOtelInstrumentation({ registerOnInitialization: true }),
];
const sdk = new NodeSDK({ serviceName: "fastify", autoDetectResources: false, instrumentations });
sdk.start();
// Instrumentations patch what is loaded after them.
register("@opentelemetry/instrumentation/hook.mjs", import.meta.url);
await import("./fastify.ts");
