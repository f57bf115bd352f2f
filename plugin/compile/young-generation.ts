import { setFlagsFromString } from "node:v8";

/**
 * Keeps V8 from enlarging the young generation of the heap. V8 would enlarge it to up to 128 MB, because nearly all
 * objects of the TypeScript compiler are long-lived, and that memory is useless afterwards. With this limit, compiling
 * 1,000 tools takes 0.77 × the memory and the same processor time. Other engines have no such flag.
 */
export function keepYoungGeneration(): void {
  if (process.versions["bun"] === undefined && process.versions["deno"] === undefined)
    setFlagsFromString("--semi-space-growth-factor=1");
}
