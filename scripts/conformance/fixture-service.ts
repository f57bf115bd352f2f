import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createInterface } from "node:readline";

const folder = "test/fixtures/conformance";
const bundle = `${folder}/dist/service.mjs`;

export interface FixtureService {
  /** Address of its MCP endpoint. */
  readonly url: string;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/** Bundles the fixture service with the plugin of this checkout. Exits when it does not compile. */
export function buildFixture(): void {
  // The plugin of this checkout changes without a new version.
  rmSync(`${folder}/node_modules`, { recursive: true, force: true });
  const entry = `${folder}/src/service.ts`;
  const words = ["cli/main.ts", "build", entry, "--outdir", "dist"];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
  if (status === 0) return;
  process.stderr.write(`${stdout}${stderr}`);
  process.exit(status ?? 1);
}

/** Command line of the built fixture service over standard input and output. */
export const stdioCommand: readonly string[] = [process.execPath, bundle, "--with-mcp-stdio"];

/** Starts the built fixture service on loopback; port 0 is any free one. Its messages pass through. */
export async function startFixture(port = 0): Promise<FixtureService> {
  const child = spawn(process.execPath, [bundle, "--with-mcp", "--host", "127.0.0.1", "--port", String(port)], {
    env: {
      PLATFORM_LOG_LEVEL: "CRITICAL",
      // The suite's clients of sessions declare nothing that would need one.
      TENON_MCP_SESSIONS: "always",
      TENON_MCP_STREAM_TIME: "0.5",
      ...process.env,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(child, "exit");
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on("line", (line) => {
      const found = /listens on (http:\S+)$/.exec(line)?.[1];
      if (found === undefined) process.stderr.write(`${line}\n`);
      else resolve(`${found}/mcp`);
    });
    child.once("exit", (code) => reject(new Error(`The fixture service ended with exit code ${code}.`)));
  });
  return {
    url,
    child,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
