import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { bareEnv } from "../../support/bare-env.ts";

/** A process that serves the tools in one way. */
export interface Host {
  readonly port: number;
  readonly prefix: string;
  /** Resolves when the host has printed a line; rejects when it does not. */
  line(text: string): Promise<void>;
  stop(): void;
}

export interface Way {
  /** The way of `host.ts`. */
  readonly way: string;
  readonly words: readonly string[];
  readonly prefix?: string;
}

const bin = (name: string): string => resolve("node_modules/.bin", name);
/** Milliseconds in which a line must come; they end only what would wait for ever. */
const patience = 120_000;
const onNode = [process.execPath];

/** The ways to serve; all answer as the first one does. */
export const ways: Readonly<Record<string, Way>> = {
  startLambdaServer: { way: "server", words: onNode },
  createFetchHandler: { way: "handler", words: onNode },
  "createFetchHandler below a prefix": { way: "prefixed", words: onNode, prefix: "/api" },
  registerMcp: { way: "registered", words: onNode },
  "Deno.serve": { way: "deno", words: [bin("deno"), "run", "-A", "--no-lock", "--quiet"] },
  "Bun.serve": { way: "bun", words: [bin("bun")] },
};

/** Starts a way to serve. */
export async function startHost(
  { way, words, prefix = "" }: Way,
  env: Readonly<Record<string, string>>,
): Promise<Host> {
  const [program = "", ...rest] = words;
  const flags = way === "server" ? ["--with-mcp", "--test-without-sidecar"] : [];
  const home = mkdtempSync(join(tmpdir(), "tenon-ways-"));
  const child = spawn(program, [...rest, resolve(import.meta.dirname, "host.ts"), way, ...flags], {
    env: { ...bareEnv(), HOME: home, DENO_DIR: home, DENO_NO_UPDATE_CHECK: "1", PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<void>((resolved) => void child.once("exit", () => resolved()));
  let printed = "";
  let errors = "";
  const waiting = new Set<() => void>();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
    for (const look of waiting) look();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const matches = (pattern: RegExp): Promise<string> =>
    new Promise((found, reject) => {
      const late = setTimeout(() => reject(new Error(`${way} has never printed ${pattern.source}.`)), patience);
      const look = (): void => {
        const [, part = ""] = pattern.exec(printed) ?? [];
        if (!pattern.test(printed)) return;
        waiting.delete(look);
        clearTimeout(late);
        found(part);
      };
      waiting.add(look);
      void ended.then(() => reject(new Error(`${way} has ended: ${errors}`)));
      look();
    });
  return {
    port: Number(await matches(/^port (\d+)$/m)),
    prefix,
    line: async (text) => void (await matches(new RegExp(`^${text}$`, "m"))),
    stop() {
      void ended.then(() => rmSync(home, { recursive: true, force: true }));
      child.kill("SIGKILL");
    },
  };
}
