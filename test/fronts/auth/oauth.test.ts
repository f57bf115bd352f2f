import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  Client,
  StreamableHTTPClientTransport,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fakeTool } from "../../support/fake-tool.ts";
import { hostAddress, hostId, startOAuthServer, type OAuthServer } from "../../support/oauth-server.ts";
import { json, serve, type TestServer } from "../../support/serve.ts";

const resource = "https://tools.example.org/mcp";
/** Arguments of the tool, and requests that arrived where it called. */
const seen: unknown[] = [];

let oauth: OAuthServer;
let echo: { readonly url: string; stop(): void };
let server: TestServer;
beforeAll(async () => {
  echo = await startEcho();
  oauth = await startOAuthServer(resource, "notes:read notes:write");
  const read = fakeTool(
    async ({ text = "" }: { text?: string }, job) => {
      seen.push(job.jobAuthorization, await (await fetch(echo.url)).json());
      return { read: text };
    },
    { name: "read", path: "/tool/read" },
  );
  const write = fakeTool(({ text = "" }: { text?: string }) => ({ written: text }), {
    name: "write",
    path: "/tool/write",
    definition: { scopes: ["notes:write"] },
  });
  const slow = fakeTool((_: object, job) => new Promise((resolve) => job.signal.addEventListener("abort", resolve)), {
    name: "slow",
    path: "/tool/slow",
  });
  const auth = { issuer: oauth.issuer, audience: resource, scopes: ["notes:read"] };
  server = await serve([read, write, slow], { auth }, {}, ["--test-without-sidecar", "--with-mcp"]);
});
afterAll(async () => {
  await server.stop();
  await oauth.stop();
  echo.stop();
});

/** Memory of an MCP host about a user: registration, tokens, and a browser that somebody sits in front of. */
class Host implements OAuthClientProvider {
  readonly redirectUrl = hostAddress;
  readonly clientMetadata = {
    client_name: "Test host",
    redirect_uris: [this.redirectUrl],
    grant_types: ["authorization_code"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  readonly user: string;
  /** Authorisation requests, in order. */
  readonly asked: URL[] = [];
  #tokens: StoredOAuthTokens | undefined;
  #discovered: OAuthDiscoveryState | undefined;
  #verifier = "";

  constructor(user: string) {
    this.user = user;
  }
  clientInformation(): StoredOAuthClientInformation {
    return { client_id: hostId };
  }
  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state;
  }
  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered;
  }
  tokens(): StoredOAuthTokens | undefined {
    return this.#tokens;
  }
  saveTokens(tokens: StoredOAuthTokens): void {
    this.#tokens = tokens;
  }
  redirectToAuthorization(url: URL): void {
    this.asked.push(url);
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier(): string {
    return this.#verifier;
  }
  get header(): { readonly authorization: string } {
    return { authorization: `Bearer ${this.#tokens?.access_token ?? ""}` };
  }
}

/** The network: the service's public address leads to the port on which it listens. */
const network: typeof fetch = (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  return fetch(url.origin === new URL(resource).origin ? `${server.url}${url.pathname}` : url, init);
};

function transportOf(host: Host): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(resource), { authProvider: host, fetch: network });
}

/** Goes through what the client was asked for, as the host's window would, and gives the client its code. */
async function authorize(host: Host, transport: StreamableHTTPClientTransport): Promise<void> {
  const url = host.asked.at(-1);
  if (url === undefined) throw new Error("nobody was asked to authorise");
  const answer = await oauth.authorize(url, host.user);
  await transport.finishAuth(answer);
}

async function connect(
  host: Host,
  mode: "auto" | "legacy",
): Promise<{ client: Client; transport: StreamableHTTPClientTransport }> {
  const open = (): Client => new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  const first = transportOf(host);
  await expect(open().connect(first)).rejects.toThrow("Unauthorized");
  await authorize(host, first);
  const [client, transport] = [open(), transportOf(host)];
  await client.connect(transport);
  return { client, transport };
}

describe.each(["auto", "legacy"] as const)("the official client (%s)", (mode) => {
  test("finds the authorisation server, asks for what is needed, and steps up", async () => {
    const host = new Host("ann");
    const { client, transport } = await connect(host, mode);
    const { searchParams } = host.asked[0] ?? new URL("none:");
    expect(Object.fromEntries(searchParams)).toMatchObject({
      resource,
      scope: "notes:read",
      code_challenge_method: "S256",
      response_type: "code",
    });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["read", "slow"]);
    expect((await client.callTool({ name: "read", arguments: { text: "a" } })).structuredContent).toEqual({
      read: "a",
    });
    await expect(client.callTool({ name: "write", arguments: { text: "b" } })).rejects.toThrow("Unauthorized");
    expect(host.asked.at(-1)?.searchParams.get("scope")?.split(" ").toSorted()).toEqual(["notes:read", "notes:write"]);
    await authorize(host, transport);
    expect((await client.callTool({ name: "write", arguments: { text: "b" } })).structuredContent).toEqual({
      written: "b",
    });
    await client.close();
    const again = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    await again.connect(transportOf(host));
    expect((await again.listTools()).tools.map(({ name }) => name)).toEqual(["read", "write", "slow"]);
    await again.close();
  });
});

describe("REST and MCP with the same tokens", () => {
  const [ann, bob] = [new Host("ann"), new Host("bob")];
  beforeAll(async () => {
    for (const host of [ann, bob]) await (await connect(host, "auto")).client.close();
  });

  test("a tool gets the call, and never the credential", async () => {
    const response = await server.post("/tool/read", { text: "x" }, ann.header);
    expect([response.status, await json(response)]).toEqual([200, { read: "x" }]);
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.filter((_, index) => index % 2 === 0).every((value) => value === undefined)).toBe(true);
    const text = JSON.stringify(seen);
    for (const part of ann.header.authorization.slice("Bearer ".length).split(".")) expect(text).not.toContain(part);
  });

  test("a tool with a scope is refused with the challenge of RFC 6750, before its body is read", async () => {
    for (const response of [
      await server.post("/tool/write", "{no json", ann.header),
      await server.get("/tool/write", ann.header),
    ]) {
      expect(response.status).toBe(403);
      expect(response.headers.get("www-authenticate")).toBe(
        `Bearer error="insufficient_scope", error_description="The access token needs the scopes 'notes:read', 'notes:write'.", ` +
          'scope="notes:read notes:write", resource_metadata="https://tools.example.org/.well-known/oauth-protected-resource/mcp"',
      );
      expect(await json(response)).toMatchObject({ type: "urn:platform:problem:insufficient-scope", status: 403 });
    }
    const { tools } = await json(await server.get("/tool", ann.header));
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(["read", "slow"]);
  });

  test("a job belongs to its caller: to others it is like one that does not exist", async () => {
    const started = await server.post("/tool/slow", {}, { ...ann.header, prefer: "respond-async" });
    const id = started.headers.get("job-id") ?? "";
    const bare = id.slice("urn:platform:job:".length);
    expect((await server.get(`/jobs/${bare}`, ann.header)).status).toBe(202);
    const [listed] = (await json(await server.get(`/jobs?id=${bare}`, ann.header))).items;
    expect(listed).toMatchObject({ id, status: "executing", request: "{}" });
    expect(await json(await server.get(`/jobs?id=${bare}`, bob.header))).toMatchObject({ items: [] });
    const unknown = "01999999-9999-7999-8999-999999999999";
    const look = async (method: string, path: string): Promise<unknown> => {
      const response = await fetch(server.url + path, { method, headers: bob.header });
      const headers = [...response.headers].filter(([name]) => name !== "date");
      return { status: response.status, headers, body: await response.text() };
    };
    for (const [method, path] of [
      ["GET", "/jobs/ID"],
      ["GET", "/tool/slow/jobs/ID"],
      ["GET", "/jobs/ID/events"],
      ["DELETE", "/jobs/ID"],
      ["DELETE", "/tool/slow/jobs/ID"],
    ] as const) {
      const foreign = await look(method, path.replace("ID", bare));
      expect([method, path, foreign]).toEqual([method, path, await look(method, path.replace("ID", unknown))]);
      expect(foreign).toMatchObject({ status: 404 });
    }
    const task = async (taskId: string): Promise<unknown> => {
      const response = await server.post("/mcp", modern("tasks/get", { taskId }), {
        ...bob.header,
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tasks/get",
        "mcp-name": taskId,
      });
      return (await response.text()).replaceAll(taskId, "ID");
    };
    expect(await task(id)).toBe(await task(`urn:platform:job:${unknown}`));
    expect(await task(id)).toContain("The task does not exist");
    expect((await fetch(`${server.url}/jobs/${bare}`, { method: "DELETE", headers: ann.header })).status).toBe(202);
  });

  test("idempotency keys of two callers never meet", async () => {
    const call = (host: Host, text: string): Promise<Response> =>
      server.post("/tool/read", { text }, { ...host.header, "idempotency-key": "same" });
    expect(await json(await call(ann, "of ann"))).toEqual({ read: "of ann" });
    expect(await json(await call(bob, "of bob"))).toEqual({ read: "of bob" });
    expect(await json(await call(ann, "of ann"))).toEqual({ read: "of ann" });
    expect((await call(ann, "other")).status).toBe(422);
  });

  test("a token with another payload does not count", async () => {
    const [header = "", , signature = ""] = ann.header.authorization.split(".");
    const response = await server.post("/tool/read", {}, { authorization: `${header}.e30.${signature}` });
    expect(response.status).toBe(401);
  });
});

/** Answers with the headers and the address that a request had. */
async function startEcho(): Promise<typeof echo> {
  const target = createServer((request, response) => response.end(JSON.stringify([request.url, request.rawHeaders])));
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(target.address() as AddressInfo).port}/`,
    stop() {
      target.closeAllConnections();
      target.close();
    },
  };
}

function modern(method: string, params: object): object {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": { extensions: { "io.modelcontextprotocol/tasks": {} } },
  };
  return { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } };
}
