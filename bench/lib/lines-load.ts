import { spawn } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";

const hello = JSON.stringify({
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
});
const initialized = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

/** Milliseconds from the start of a process to its answer to `initialize`. */
export async function firstAnswer(command: readonly string[]): Promise<number> {
  const start = performance.now();
  const child = startLines(command);
  child.stdin.write(`${hello}\n`);
  await linesOf(child, 1, () => {});
  const taken = performance.now() - start;
  child.kill("SIGKILL");
  return taken;
}

/** Calls per second over one connection, 32 in flight. */
export async function callsPerSecond(
  command: readonly string[],
  call: (id: number) => string,
  count: number,
): Promise<number> {
  const child = startLines(command);
  child.stdin.write(`${hello}\n`);
  await linesOf(child, 1, () => {});
  child.stdin.write(`${initialized}\n`);
  const run = async (calls: number): Promise<void> => {
    let sent = 0;
    const send = (many: number): void => {
      let text = "";
      for (; many > 0 && sent < calls; many--) text += `${call(++sent)}\n`;
      if (text !== "") child.stdin.write(text);
    };
    const answered = linesOf(child, calls, send);
    send(32);
    await answered;
  };
  await run(Math.ceil(count / 4));
  const start = performance.now();
  await run(count);
  const seconds = (performance.now() - start) / 1000;
  child.kill("SIGKILL");
  return count / seconds;
}

function startLines([program = "", ...args]: readonly string[]): ChildProcessWithoutNullStreams {
  const env = { ...process.env, PLATFORM_LOG_LEVEL: "CRITICAL", NODE_ENV: "production" };
  const child = spawn(program, args, { env });
  child.stderr.resume();
  return child;
}

/** Resolves after `count` lines. */
function linesOf(child: ChildProcessWithoutNullStreams, count: number, onLines: (many: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let left = count;
    const onExit = (code: number | null): void => reject(new Error(`The server ended with exit code ${code}.`));
    const onData = (chunk: Buffer): void => {
      let many = 0;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) many++;
      left -= many;
      if (left > 0) onLines(many);
      else {
        child.stdout.off("data", onData);
        child.off("exit", onExit);
        resolve();
      }
    };
    child.stdout.on("data", onData);
    child.once("exit", onExit);
  });
}
