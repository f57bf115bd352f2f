import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { callMcp } from "../../../../cli/call/call-mcp.ts";
import { callRest } from "../../../../cli/call/call-rest.ts";

async function listening(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise((resolve) => server.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each([
  ["REST", callRest],
  ["MCP", callMcp],
])("an answer without an end is cut: %s", { timeout: 30_000 }, async (_, call) => {
  const megabyte = Buffer.alloc(1024 * 1024, " ");
  let sent = 0;
  const url = await listening((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const write = (): void => {
      while (!response.destroyed && response.write(megabyte)) sent++;
    };
    response.on("drain", write);
    write();
  });
  await expect(call(url, "any", {}, () => {})).rejects.toThrow(/answered with more than 67108864 bytes/);
  expect(sent).toBeLessThan(500);
});

test("a service that does not end its document in time", async () => {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const limits = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => timeout(ms / 300));
  onTestFinished(() => limits.mockRestore());
  const url = await listening((_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const timer = setInterval(() => response.write(" "), 10);
    response.on("close", () => clearInterval(timer));
  });
  await expect(callRest(url, "any", {}, () => {})).rejects.toThrow("did not answer in time");
  expect(limits).toHaveBeenCalledWith(30_000);
});
