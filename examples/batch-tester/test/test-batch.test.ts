import { createServer } from "node:http";
import { callTool } from "tenon/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { burnCpu } from "../src/burn-cpu.ts";
import { testBatch } from "../src/test-batch.ts";

describe("testBatch", () => {
  it("echoes, reports and computes", async () => {
    const { result, steps } = await callTool(testBatch, { durationSeconds: 0.01, events: 250, echo: "hello world" });
    expect(result).toEqual({ cpuSeconds: expect.any(Number), events: 250, echo: "hello world" });
    expect(steps.map(({ name, progress }) => [name, progress.length])).toEqual([
      ["compute", 0],
      ["report", 250],
    ]);
  });

  it.each([
    ["user", "user-input", "The request asked for an error of the caller."],
    ["system", "system", expect.not.stringContaining("asked")],
  ] as const)("throws an error of kind %s", async (throwAtEnd, kind, message) => {
    await expect(callTool(testBatch, { throwAtEnd })).rejects.toMatchObject({ kind, message });
  });

  it("calls", async () => {
    const server = createServer((request, response) => {
      request.on("data", (chunk) => response.write(`${request.method} ${request.url} ${chunk}`));
      request.on("end", () => response.end());
      response.writeHead(201, { "content-type": "text/plain" });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => server.closeAllConnections());
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const url = new URL(`http://127.0.0.1:${port}/post/f+a`);
    const { wire } = await callTool(testBatch, { call: { method: "POST", url, data: { name: "Alice" } } });
    expect(wire).toMatchObject({
      call: { status: 201, contentType: "text/plain", body: 'POST /post/f+a {"name":"Alice"}' },
    });
  });
});

describe("burnCpu", () => {
  it("takes as long as it was told, and stops when it must", async () => {
    const before = performance.now();
    await burnCpu(0.15, 10, new AbortController().signal);
    expect(performance.now() - before).toBeGreaterThanOrEqual(149);
    await expect(burnCpu(60, 1, AbortSignal.timeout(20))).rejects.toThrow("aborted");
  });
});
