import { expect, onTestFinished, test } from "vitest";
import { metadataPaths, resourceMetadata } from "../../../../../runtime/fronts/auth/resource-metadata.ts";
import type { AuthConfig } from "../../../../../runtime/service/config/auth-config.ts";
import { Service } from "../../../../../runtime/service/service.ts";
import { clearRegistry } from "../../../../../runtime/service/tools/registry.ts";
import { createFetchHandler } from "../../../../../runtime/start/create-fetch-handler.ts";
import { definedTool } from "../../../../support/defined-tool.ts";
import { audience, issuer } from "../../../../support/token-issuer.ts";
import { fakeTool } from "../../../../support/fake-tool.ts";

const config: AuthConfig = { issuer, audience, resource: audience, scopes: [], clientId: undefined };

test("the document names the issuer and the scopes of all tools, each once", () => {
  const tools = [["read", "use"], ["write"], undefined].map((scopes) =>
    fakeTool(() => 1, { definition: { ...(scopes !== undefined && { scopes }) } }),
  );
  const metadata = resourceMetadata({ auth: { ...config, scopes: ["use"] }, name: "Primes", tools, mcpPath: "/mcp" });
  for (const method of ["GET", "HEAD"]) {
    const { status, headers, body } = metadata.answer(method);
    expect([status, headers]).toEqual([200, ["Content-Type", "application/json", "Cache-Control", "max-age=300"]]);
    expect(JSON.parse(String(body))).toEqual({
      resource: audience,
      authorization_servers: [issuer],
      scopes_supported: ["use", "read", "write"],
      bearer_methods_supported: ["header"],
      resource_name: "Primes",
    });
  }
});

test("a document without scopes names none, and is only read", () => {
  const metadata = resourceMetadata({ auth: config, name: "Primes", tools: [], mcpPath: "/mcp" });
  expect(JSON.parse(String(metadata.answer("GET").body))).not.toHaveProperty("scopes_supported");
  const { status, headers, body } = metadata.answer("POST");
  expect(status).toBe(405);
  expect(headers.join(" ")).toContain("Allow GET, HEAD");
  expect(JSON.parse(String(body))).toMatchObject({ detail: "Allowed here: GET, HEAD." });
});

test.each([
  ["https://a.example", []],
  ["https://a.example/", []],
  ["https://a.example/own", ["/.well-known/oauth-protected-resource/own"]],
])("the paths for %s", (resource, own) => {
  expect([...metadataPaths({ resource }, "/mcp")]).toEqual([
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/mcp",
    ...own,
  ]);
});

test("below a base path, the challenge names the address at which the application serves the document", async () => {
  clearRegistry();
  definedTool(() => "", { name: "note", request: null, resultKind: "text" });
  const resource = "https://notes.example.org/api/mcp";
  const auth = { issuer: "https://login.example.org", audience: resource };
  const handler = createFetchHandler(new Service({ name: "Notes", version: "1" }), { basePath: "/api", auth });
  onTestFinished(() => handler.stop());
  const refused = await handler(new Request(resource, { method: "POST" }));
  const [, address = ""] = /resource_metadata="([^"]+)"/.exec(refused.headers.get("www-authenticate") ?? "") ?? [];
  expect([refused.status, address]).toEqual([
    401,
    "https://notes.example.org/api/.well-known/oauth-protected-resource/api/mcp",
  ]);
  expect(await (await handler(new Request(address))).json()).toMatchObject({ resource });
});
