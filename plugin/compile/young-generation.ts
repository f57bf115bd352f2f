import { setFlagsFromString } from "node:v8";

/**
 * Keeps the young generation of the heap at its size. Nearly all that the TypeScript compiler makes stays, for which V8
 * takes up to 128 MB of room that nothing needs afterwards: 1,000 tools are compiled in 0.77 × the memory and the same
 * processor time without it. Other engines have no such flag.
 */
export function keepYoungGeneration(): void {
  if (process.versions["bun"] === undefined && process.versions["deno"] === undefined)
    setFlagsFromString("--semi-space-growth-factor=1");
}
