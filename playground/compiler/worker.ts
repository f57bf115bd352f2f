/** The worker of the playground. It answers each source with what tenon makes of it. */
import { openPlayground, type PackageTexts, type Playground } from "./open-playground.ts";
import type { FromCompiler, ToCompiler } from "../page/messages.ts";

interface WorkerScope {
  addEventListener(type: "message", listener: (event: { readonly data: ToCompiler }) => void): void;
  /** For tests, which run this script without a browser. */
  openPlayground: typeof openPlayground;
  postMessage(message: FromCompiler): void;
}

const scope = globalThis as unknown as WorkerScope;
let playground: Promise<Playground> | undefined;

scope.openPlayground = openPlayground;
scope.addEventListener("message", ({ data }) => void answer(data).then((done) => scope.postMessage(done)));

async function answer({ id, source }: ToCompiler): Promise<FromCompiler> {
  const began = performance.now();
  try {
    playground ??= open().catch((error: unknown) => {
      // The next source loads the packages again.
      playground = undefined;
      throw error;
    });
    const compiled = await (await playground).compile(source);
    return { id, compiled, took: performance.now() - began };
  } catch (error) {
    return { id, failure: error instanceof Error ? error.message : String(error) };
  }
}

async function open(): Promise<Playground> {
  const response = await fetch("package-texts.json");
  return openPlayground({ packageTexts: (await response.json()) as PackageTexts });
}
