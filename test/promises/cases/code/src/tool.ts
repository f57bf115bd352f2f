import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { withSchema } from "tenon";

/** Made while the module loads. */
const prepared = await Promise.resolve(["ready"]);

/** Says what top-level await has made.
 * @tool */
export function topLevelAwait(): string[] {
  return prepared;
}

/** Imports built-in modules when it is called.
 * @tool */
export async function importBuiltins(): Promise<string[]> {
  const http = await import("node:http");
  const { createHash } = await import("node:crypto");
  const path = await import("path");
  const { default: https, Agent } = await import("node:https");
  return [
    typeof http.createServer,
    typeof http.default.request,
    createHash("sha256").update("a").digest("hex").slice(0, 6),
    path.basename("/a/b"),
    typeof Agent,
    String(https.Agent === Agent),
  ];
}

/** Imports a module of its own when it is called.
 * @tool */
export async function importLater(): Promise<string> {
  const { later } = await import("./later.js");
  return later();
}

/** A point. */
export
@withSchema("urn:promise:schema.point.1")
class Point {
  /** Across. */ x: number = 0;
  /** Down. */ y: number = 7;
}

/** Moves a point.
 * @tool
 * @param point The point. */
export function movePoint(point: Point): Point {
  const moved = new Point();
  moved.x = point.x + 1;
  moved.y = point.y + 1;
  return moved;
}

/** Computes in a worker thread of its own.
 * @tool
 * @param n The number. */
export async function useWorker(n: number): Promise<number> {
  const worker = new Worker(
    "const { parentPort, workerData } = require('node:worker_threads'); parentPort.postMessage(workerData * 2);",
    {
      eval: true,
      workerData: n,
    },
  );
  const [doubled] = (await once(worker, "message")) as [number];
  return doubled;
}

/** Keeps a context of its own.
 * @tool */
export async function keepContext(): Promise<string> {
  const storage = new AsyncLocalStorage<string>();
  return storage.run("kept", async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return storage.getStore() ?? "lost";
  });
}

/** Requires a built-in module.
 * @tool */
export function requireBuiltin(): string {
  const { sep } = createRequire(import.meta.url)("node:path") as { sep: string };
  return sep;
}

/** Tells where it is.
 * @tool */
export function ownPlace(): boolean[] {
  return [import.meta.url.startsWith("file:"), import.meta.filename.length > 0, import.meta.dirname.length > 0];
}

class Secret {
  static #count = 0;
  readonly #value: string;
  static {
    Secret.#count = 40;
  }
  constructor(value: string) {
    this.#value = value;
    Secret.#count += 1;
  }
  has(other: object): boolean {
    return #value in other && this.#value.length > 0;
  }
  static get count(): number {
    return Secret.#count;
  }
}

/** Uses private members.
 * @tool */
export function usePrivate(): string[] {
  const secret = new Secret("x");
  return [String(secret.has(secret)), String(secret.has({})), String(Secret.count >= 41)];
}

/** Keeps names of functions and classes.
 * @tool */
export function ownNames(): string[] {
  return [
    new RangeError("x").name,
    "é".normalize("NFD").length.toString(),
    /(?<year>\d{4})/v.exec("in 2026")?.groups?.["year"] ?? "",
  ];
}
