import { spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { foreignEnvironment, type ForeignServer } from "./foreign-servers.ts";
import type { ForeignTool } from "./schema-model.ts";

/** Seconds in which a server has to list its tools. */
const patience = 40;

interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly result?: { readonly tools?: readonly ForeignTool[]; readonly nextCursor?: string };
}

/**
 * Starts the server of a package, without a network, and lists its tools; none when it does not answer.
 *
 * @param folder Holds the package in `node_modules`
 */
export async function listTools(folder: string, name: string, server: ForeignServer): Promise<readonly ForeignTool[]> {
  const root = join(folder, "node_modules", name);
  const home = join(folder, "home");
  mkdirSync(home, { recursive: true });
  const words = [process.execPath, join(root, binOf(root)), ...(server.words ?? [])];
  const child = spawn("unshare", ["--map-root-user", "--net", "timeout", String(patience), ...words], {
    env: { PATH: process.env["PATH"], HOME: home, ...foreignEnvironment },
    cwd: home,
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.on("error", () => undefined);
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "tenon-foreign-texts", version: "1.0.0" };
  send({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
  const tools: ForeignTool[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const { id, result } = read(line);
    if (result === undefined) continue;
    if (id === 1) send({ method: "notifications/initialized" });
    tools.push(...(result.tools ?? []));
    if (id !== 1 && result.nextCursor === undefined) break;
    send({ id: (id ?? 1) + 1, method: "tools/list", params: { cursor: result.nextCursor } });
  }
  child.kill();
  return tools;
}

function read(line: string): Answer {
  try {
    return JSON.parse(line) as Answer;
  } catch {
    return {};
  }
}

function binOf(root: string): string {
  const { bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly bin: string | Readonly<Record<string, string>>;
  };
  if (typeof bin === "string") return bin;
  const names = Object.keys(bin);
  return bin[names.find((name) => name.includes("mcp")) ?? names[0] ?? ""] ?? "";
}
