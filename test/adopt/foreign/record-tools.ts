/**
 * Runs in a process of its own: loads bundled modules of a foreign service, calls the functions that register tools,
 * and prints the tools with their JSON Schemas as JSON. Arguments: the bundles.
 */
import { writeSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { openRecorder } from "./recorder.ts";

const recorder = openRecorder();
const registers = /^(?:add|configure|create|default|define|init|load|make|register|setup)/i;

/** Anything: it can be called, constructed and read at any depth. */
const stub: object = new Proxy(function () {}, {
  get(_, key) {
    if (key === "then" || key === "$$typeof") return undefined;
    if (key === Symbol.toPrimitive) return () => "stub";
    if (key === Symbol.iterator) return () => [][Symbol.iterator]();
    if (key === "prototype") return {};
    const method = typeof key === "string" && Object.hasOwn(recorder.methods, key) ? recorder.methods[key] : undefined;
    return method === undefined ? stub : (...given: unknown[]) => (attempt(() => method(...given)), stub);
  },
  has: () => true,
  apply: () => stub,
  construct: () => stub,
  getPrototypeOf: () => Function.prototype,
});

function attempt(run: () => unknown): void {
  try {
    void Promise.resolve(run()).catch(() => undefined);
  } catch (error) {
    if (process.env["VERBOSE"] !== undefined) console.error(error);
  }
}

Object.assign(globalThis, { tenonStub: stub, tenonEnter: recorder.enter, tenonContract: recorder.addContract });
process.on("uncaughtException", () => undefined);
process.on("unhandledRejection", () => undefined);
const { exit } = process;
process.exit = (() => stub) as never;
console.log = console.error;
for (const file of process.argv.slice(2)) {
  try {
    const module = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
    // A tool of xmcp is a file.
    const { metadata, schema } = module as {
      readonly metadata?: { readonly name?: unknown };
      readonly schema?: unknown;
    };
    if (metadata !== undefined) recorder.add(metadata.name, schema);
    for (const [name, value] of Object.entries(module))
      if (typeof value === "function" && (registers.test(name) || /\bwithTypeProvider\b/.test(String(value))))
        attempt(() => value(...Array.from({ length: 8 }, () => stub)));
  } catch (error) {
    console.error(file, error instanceof Error ? error.message : error);
  }
}
// Functions that register tools may wait before they do.
await new Promise((resolve) => setTimeout(resolve, 500));
recorder.finish();
writeSync(1, JSON.stringify([...recorder.tools.values()]));
exit.call(process, 0);
