import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { fetchContract } from "../../../../../cli/contracts/against/running-service.ts";

const definition = JSON.stringify({ name: "Own", version: "1.2.3", tools: [{ name: "half" }] });
const descriptions = JSON.stringify({ tools: [{ name: "half", description: "Halves.", fn_schema: {} }] });

/** A service that answers at these paths, and with 404 at others. */
async function serve(answers: Readonly<Record<string, readonly [status: number, body: string]>>) {
  const asked: string[] = [];
  const server = createServer(({ url = "", headers }, response) => {
    asked.push(headers.authorization === undefined ? url : `${url} ${headers.authorization}`);
    const [status, body] = answers[url] ?? [404, ""];
    response.writeHead(status, status === 302 ? { Location: body } : {}).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

test("a service is read by its definition, and by its descriptions where it publishes none", async () => {
  const whole = await serve({ "/service.json": [200, definition] });
  expect(await fetchContract(`${whole.address}//`)).toMatchObject({ name: "Own", version: "1.2.3" });
  const brief = await serve({ "/tool": [200, descriptions] });
  expect(await fetchContract(brief.address)).toMatchObject({ isBrief: true, tools: [{ name: "half" }] });
  expect([whole.asked, brief.asked]).toEqual([["/service.json"], ["/service.json", "/tool"]]);
});

test("an address of a definition is read as it is, with the token", async () => {
  vi.stubEnv("TENON_TOKEN", "secret");
  onTestFinished(() => void vi.unstubAllEnvs());
  const { address, asked } = await serve({ "/v1/own.json": [200, definition] });
  expect(await fetchContract(`${address}/v1/own.json`)).toMatchObject({ name: "Own" });
  expect(asked).toEqual(["/v1/own.json Bearer secret"]);
  await expect(fetchContract(`${address}/other.json`)).rejects.toThrow(/other\.json answered 404\. Is this a tenon/);
});

test.each([
  [{ "/service.json": [200, "<html>"] }, "/service.json cannot be compared: it is not JSON. Is this a tenon service?"],
  [{ "/tool": [200, "{}"] }, "/tool cannot be compared: it does not describe tools. Is this a tenon service?"],
  [{ "/service.json": [500, ""] }, "/service.json answered 500. Is this a tenon service?"],
  [{ "/service.json": [401, ""] }, "/service.json: The service needs a valid access token"],
  [{}, "/tool answered 404. Is this a tenon service?"],
  [{ "/service.json": [302, "/x"] }, "/service.json sends callers on to http://127.0.0.1"],
] as const)("an answer of another service is an error in one line: %j", async (answers, error) => {
  const { address } = await serve(answers as never);
  await expect(fetchContract(address)).rejects.toMatchObject({
    name: "CommandError",
    message: expect.stringContaining(`${address}${error}`) as string,
  });
});

test("an address that leads nowhere says why", async () => {
  await expect(fetchContract("http://")).rejects.toThrow("http:// is not an address.");
  await expect(fetchContract("http://127.0.0.1:1")).rejects.toThrow(
    /^http:\/\/127\.0\.0\.1:1\/service\.json cannot be reached: (?:connect ECONNREFUSED|bad port)/,
  );
});

test("an answer that never ends is given up after 30 seconds", async () => {
  const timeout = vi
    .spyOn(AbortSignal, "timeout")
    .mockReturnValue(AbortSignal.abort(new DOMException("too late", "TimeoutError")));
  onTestFinished(() => timeout.mockRestore());
  await expect(fetchContract("http://127.0.0.1:1")).rejects.toThrow(
    "http://127.0.0.1:1/service.json did not answer within 30 seconds.",
  );
  expect(timeout).toHaveBeenCalledWith(30_000);
});

test("of an answer that never ends, 64 MiB are read", async () => {
  const part = new Uint8Array(2 ** 24);
  let sent = 0;
  const body = new ReadableStream({
    pull(controller) {
      // More than this would be read into memory for ever.
      if (++sent === 10) controller.close();
      else controller.enqueue(part);
    },
  });
  const answered = vi.spyOn(globalThis, "fetch").mockResolvedValue(new Response(body));
  onTestFinished(() => answered.mockRestore());
  await expect(fetchContract("http://127.0.0.1:1")).rejects.toThrow(" answered with more than 67108864 bytes.");
  expect(sent).toBeLessThan(8);
});
