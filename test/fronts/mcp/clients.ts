import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdioTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OldHttpTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";

export interface Progress {
  readonly progress: number;
  readonly message?: string;
}

interface CallOptions {
  readonly onprogress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
}

export interface CallAnswer {
  readonly content: readonly Readonly<Record<string, unknown>>[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** One face for both official clients. */
export interface TestClient {
  /** The protocol revision that client and server agreed on. */
  readonly revision: string | undefined;
  listTools(cursor?: string): Promise<{ tools: readonly Readonly<Record<string, unknown>>[]; nextCursor?: string }>;
  callTool(name: string, args?: object, options?: CallOptions): Promise<CallAnswer>;
  close(): Promise<void>;
}

export type Target =
  | { readonly url: string; readonly headers?: Record<string, string> }
  | { readonly command: string; readonly args: string[]; readonly onStderr?: (text: string) => void };

/** The clients that a server must please: today's in both eras, and the last of the old line. */
export const clientKinds = ["2.4 modern", "2.4 legacy", "1.32"] as const;
export type ClientKind = (typeof clientKinds)[number];

export function connect(kind: ClientKind, target: Target): Promise<TestClient> {
  return kind === "1.32" ? connectOld(target) : connectNew(target, kind === "2.4 modern");
}

async function connectNew(target: Target, modern: boolean): Promise<TestClient> {
  const client = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode: modern ? "auto" : "legacy" } },
  );
  const transport =
    "url" in target
      ? new StreamableHTTPClientTransport(new URL(target.url), { requestInit: { headers: target.headers ?? {} } })
      : new StdioClientTransport({ command: target.command, args: target.args, stderr: "pipe" });
  if (transport instanceof StdioClientTransport) watch(transport.stderr, target);
  await client.connect(transport);
  return {
    revision: client.getNegotiatedProtocolVersion(),
    listTools: (cursor) => client.listTools(cursor === undefined ? {} : { cursor }) as never,
    callTool: (name, args = {}, options = {}) =>
      client.callTool({ name, arguments: args as Record<string, unknown> }, options as never) as never,
    close: () => client.close(),
  };
}

async function connectOld(target: Target): Promise<TestClient> {
  const client = new OldClient({ name: "test", version: "1" });
  const transport =
    "url" in target
      ? new OldHttpTransport(new URL(target.url), { requestInit: { headers: target.headers ?? {} } })
      : new OldStdioTransport({ command: target.command, args: target.args, stderr: "pipe" });
  if (transport instanceof OldStdioTransport) watch(transport.stderr, target);
  await client.connect(transport as never);
  return {
    revision: "url" in target ? (transport as OldHttpTransport).protocolVersion : undefined,
    listTools: (cursor) => client.listTools(cursor === undefined ? {} : { cursor }) as never,
    callTool: (name, args = {}, options = {}) =>
      client.callTool(
        { name, arguments: args as Record<string, unknown> },
        CallToolResultSchema,
        options as never,
      ) as never,
    close: () => client.close(),
  };
}

function watch(stderr: unknown, target: Target): void {
  if (!("onStderr" in target) || target.onStderr === undefined) return;
  (stderr as NodeJS.ReadableStream | null)?.on("data", (chunk: Buffer) => target.onStderr?.(chunk.toString()));
}
