import { expect, test } from "vitest";
import type { Client } from "../../../../../../runtime/web/console/client/client.ts";
import { modernHost } from "../../../../../../runtime/web/console/mcp/modern-host.ts";
import type { Wire } from "../../../../../../runtime/web/console/mcp/wire.ts";

test("a call repeats arguments as headers by the schema of its tool, whoever makes it", async () => {
  const tenant = { type: "string", "x-mcp-header": "tenant" };
  const tool = { name: "pay", inputSchema: { properties: { tenant } } };
  const sent: Readonly<Record<string, string>>[] = [];
  const wire = {
    next: () => 1,
    post: async (_: unknown, headers: Readonly<Record<string, string>>) => void sent.push(headers),
    async *read() {
      yield { message: { result: { tools: [tool] } } };
    },
  };
  const host = modernHost({} as Client, wire as unknown as Wire);
  await host.request({ method: "tools/list", params: {} });
  await host.request({ method: "tools/call", params: { name: "pay", arguments: { tenant: "acme" } } });
  expect(sent[1]).toMatchObject({ "mcp-name": "pay", "mcp-param-tenant": "acme" });
});
