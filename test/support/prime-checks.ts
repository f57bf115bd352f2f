import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect } from "vitest";
import { primeAnswer } from "./prime-project.ts";

/** All that REST owes a caller of the prime service. */
export async function checkRest(url: string): Promise<void> {
  const post = (body: string): Promise<Response> =>
    fetch(`${url}/tool`, { method: "POST", headers: { "content-type": "application/json" }, body });
  const good = await post('{"number": 997}');
  expect(good.status).toBe(200);
  expect(await good.text()).toBe(JSON.stringify(primeAnswer));
  const bad = await post('{"number": -1}');
  expect(bad.status).toBe(422);
  expect(bad.headers.get("content-type")).toContain("application/problem+json");
  expect(((await bad.json()) as { errors: { path: string }[] }).errors.map(({ path }) => path)).toEqual(["/number"]);
  const refused = await post('{"number": 13}');
  expect(refused.status).toBe(400);
  expect(((await refused.json()) as { detail: string }).detail).toBe("13 is not asked for here.");
  const broken = await post('{"number": 666}');
  expect(broken.status).toBe(500);
  expect(await broken.text()).not.toContain("secret detail");
}

interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

async function checkClient(client: AnyClient): Promise<void> {
  try {
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["isPrime"]);
    expect(await client.callTool({ name: "isPrime", arguments: { number: 997 } })).toMatchObject({
      structuredContent: primeAnswer,
    });
    expect(await client.callTool({ name: "isPrime", arguments: { number: "x" } })).toMatchObject({ isError: true });
  } finally {
    await client.close();
  }
}

/** Both official clients over HTTP. */
export async function checkMcpHttp(url: string): Promise<void> {
  const modern = new ModernClient({ name: "modern", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await modern.connect(new ModernHttp(new URL(`${url}/mcp`)));
  await checkClient(modern as unknown as AnyClient);
  const old = new OldClient({ name: "old", version: "1" });
  await old.connect(new OldHttp(new URL(`${url}/mcp`)) as Parameters<typeof old.connect>[0]);
  await checkClient(old as unknown as AnyClient);
}

/** Both official clients over stdio. */
export async function checkMcpStdio(file: string): Promise<void> {
  const server = { command: process.execPath, args: [file, "--with-mcp-stdio"], stderr: "ignore" as const };
  const modern = new ModernClient({ name: "modern", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await modern.connect(new ModernStdio(server));
  await checkClient(modern as unknown as AnyClient);
  const old = new OldClient({ name: "old", version: "1" });
  await old.connect(new OldStdio(server));
  await checkClient(old as unknown as AnyClient);
}
