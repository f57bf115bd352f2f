import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { checkKeptResults } from "../../../../../cli/contracts/against/kept-results.ts";
import type { ServiceDefinition } from "../../../../../runtime/contract/service-definition.ts";

/** A service as its callers see it. */
async function serve(histories: Readonly<Record<string, object>>, status = 200): Promise<string> {
  const server = createServer(({ url = "" }, response) => {
    const { pathname, searchParams } = new URL(url, "http://host");
    const id = /^\/jobs\/(.*)\/history$/.exec(pathname)?.[1];
    const items = searchParams.get("status") === "pending" ? Object.keys(histories).map((one) => ({ id: one })) : [];
    const body = id === undefined ? { items, links: [] } : { kept: histories[decodeURIComponent(id)] };
    response.writeHead(status).end(JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const definition = {
  tools: [
    { name: "plain" },
    {
      name: "pay",
      durable: true,
      steps: [
        {
          name: "charge",
          fingerprint: "f",
          "result-schema": { type: "object", properties: { at: { type: "string", format: "date-time" } } },
        },
        { name: "ship", keyed: true, fingerprint: "g", "result-schema": { type: "number" } },
        { name: "note", fingerprint: "none" },
      ],
      waits: [{ name: "approval", "message-schema": { type: "boolean" } }],
    },
  ],
} as unknown as ServiceDefinition;

test("kept results of jobs on their way that this build refuses are told by step, with their number and the path", async () => {
  const address = await serve({
    "urn:platform:job:a": { charge: { at: "yesterday" }, "ship[1]": 1, note: "any", gone: 1, "~sleep:1": null },
    "urn:platform:job:b": { charge: { at: "now" }, "ship[x[1]": "2", "~wait:approval": "yes" },
    "urn:platform:job:c": { charge: { at: "2026-11-24T00:00:00Z" } },
  });
  const findings = await checkKeptResults(`${address}/service.json`, definition);
  expect(findings.map(({ severity, tool, place, message }) => [severity, tool, place, message])).toEqual([
    [
      "breaking",
      "pay",
      "step charge",
      expect.stringMatching(/2 jobs.*refused by this build: \/at: expected/) as string,
    ],
    ["breaking", "pay", "step ship", expect.stringMatching(/1 job .*: \/: expected/) as string],
    ["breaking", "pay", "message approval", expect.stringMatching(/1 job /) as string],
  ]);
});

test("a result without a value, which is written as null, is refused where the step must have a value", async () => {
  const schema = { type: "string" };
  const steps = [
    { name: "must", fingerprint: "f", "result-schema": schema },
    { name: "may", fingerprint: "f?", "result-schema": schema },
    { name: "none", fingerprint: "none" },
  ];
  const tools = [{ name: "pay", durable: true, steps }];
  const address = await serve({ "urn:platform:job:a": { must: null, may: null, none: null } });
  const findings = await checkKeptResults(address, { tools } as unknown as ServiceDefinition);
  expect(findings.map(({ place }) => place)).toEqual(["step must"]);
});

test("a service without durable tools has none, and one that wants a token says so", async () => {
  expect(await checkKeptResults(await serve({}, 404), definition)).toEqual([]);
  await expect(checkKeptResults(await serve({}, 401), definition)).rejects.toThrow("TENON_TOKEN");
});

test("a service that sends callers on, answers too much or in another form is named with the reason", async () => {
  const answered = vi.spyOn(globalThis, "fetch");
  onTestFinished(() => answered.mockRestore());
  const told = (answer: Response): Promise<unknown> => {
    answered.mockResolvedValue(answer);
    return checkKeptResults("http://127.0.0.1:1", definition).catch((error: unknown) => (error as Error).message);
  };
  expect(await told(new Response("", { status: 302, headers: { location: "/x" } }))).toMatch(
    /^http:\/\/127\.0\.0\.1:1\/jobs\S* sends callers on to http:\/\/127\.0\.0\.1:1\/x\./,
  );
  let sent = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (++sent === 20) controller.close();
      else controller.enqueue(new Uint8Array(2 ** 24));
    },
  });
  expect(await told(new Response(body))).toMatch(/^\S* answered with more than \d+ bytes\.$/);
  expect(await told(new Response("<html>"))).toMatch(/^http:\S* did not answer with JSON\. Is this a tenon service\?$/);
  expect(await told(new Response("", { status: 500 }))).toMatch(/^http:\S* answered 500\.$/);
});

test("all pages of jobs are read, by the position in the link alone, since a proxy may have another path", async () => {
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    const { pathname, searchParams } = new URL(url, "http://host");
    asked.push(pathname + (searchParams.get("page") ?? ""));
    const next = { rel: "next", href: "/api/jobs?limit=500&tool=pay&status=pending&page=7" };
    const isFirst = searchParams.get("status") === "pending" && !searchParams.has("page");
    response.end(JSON.stringify({ items: [], links: isFirst ? [next] : [] }));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/outer`;
  expect(await checkKeptResults(address, definition)).toEqual([]);
  expect(asked).toEqual(["/outer/jobs", "/outer/jobs7", "/outer/jobs"]);
});
