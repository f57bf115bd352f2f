import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Contender } from "./attack.ts";
import { startTarget } from "./target.ts";

const bench = join(import.meta.dirname, "../../bench");

/** Megabytes of heap that Node chooses in a container of 512 MiB, for which the defaults of limits are made. */
const heap = 256;

/** The built service, with both fronts. */
export function tenonContender(bundle: string): Contender {
  return {
    name: "tenon",
    rest: "/tool/isPrime",
    mcp: "/mcp",
    start: ({ args = [], env = {}, ...options } = {}) =>
      startTarget(bundle, {
        args: ["--with-mcp", ...args],
        env: { NODE_OPTIONS: `--max-old-space-size=${heap}`, ...env },
        ...options,
      }),
  };
}

/** The servers of the benchmarks, which have the same tool; none where they are not installed. */
export function peerContenders(): readonly Contender[] {
  if (!existsSync(join(bench, "node_modules/fastify"))) return [];
  const peer = (name: string, file: string, paths: { rest: string } | { mcp: string }): Contender => ({
    name,
    ...paths,
    start: (options) => startTarget(join(bench, "servers", file), options),
  });
  return [
    peer("Fastify", "fastify.ts", { rest: "/tool" }),
    peer("Hono", "hono.ts", { rest: "/tool" }),
    peer("MCP SDK", "sdk-v2.ts", { mcp: "/mcp" }),
    peer("FastMCP", "fastmcp.ts", { mcp: "/mcp" }),
  ];
}
