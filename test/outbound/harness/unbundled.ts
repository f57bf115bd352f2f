/**
 * Entry of the harness outside of a bundle: the clients come from disk, and only the runtime's own patches are there.
 */
import { readFileSync } from "node:fs";
import http, { request as namedRequest } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Clients } from "./clients.ts";
import { runAll } from "./run.ts";

const folder = process.argv[3] ?? "";
const keptFetch = fetch;

async function load(name: string): Promise<never> {
  const at = join(folder, "node_modules", name);
  const { exports, main } = JSON.parse(readFileSync(join(at, "package.json"), "utf8")) as {
    exports?: unknown;
    main?: string;
  };
  const entry = exports === undefined ? main : entryOf(exports);
  const module = (await import(pathToFileURL(join(at, entry ?? "index.js")).href)) as { default?: unknown };
  return (module.default ?? module) as never;
}

function entryOf(exports: unknown): string | undefined {
  if (typeof exports === "string") return exports;
  const table = exports as { [condition: string]: unknown };
  return entryOf(table["."] ?? table["import"] ?? table["default"]);
}

const clients: Clients = {
  undici7: await load("undici-7"),
  undici8: await load("undici-8"),
  axios: await load("axios"),
  got: await load("got"),
  ky: await load("ky"),
  nodeFetch: await load("node-fetch"),
  http,
  // A named import of a builtin is live: it follows the patch.
  get namedRequest() {
    return namedRequest;
  },
  keptFetch,
};
await runAll(clients);
