import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";

const hello = JSON.stringify({
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
});

/** Milliseconds from the start of a process to its answer to `initialize`. */
export async function firstAnswer(command: readonly string[]): Promise<number> {
  const start = performance.now();
  const child = startLines(command);
  child.stdin.write(`${hello}\n`);
  await firstLine(child);
  const taken = performance.now() - start;
  child.kill("SIGKILL");
  return taken;
}

function startLines([program = "", ...args]: readonly string[]): ChildProcessWithoutNullStreams {
  const env = { ...process.env, PLATFORM_LOG_LEVEL: "CRITICAL", NODE_ENV: "production" };
  const child = spawn(program, args, { env });
  child.stderr.resume();
  return child;
}

/** Resolves after the first line. */
function firstLine(child: ChildProcessWithoutNullStreams): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => {
      if (chunk.includes(10)) resolve();
    });
    child.once("exit", (code) => reject(new Error(`The server ended with exit code ${code}.`)));
  });
}
