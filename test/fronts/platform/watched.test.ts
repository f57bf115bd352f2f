import { expect, test } from "vitest";
import { fetchJob, localPlatform, submit } from "../../support/local-platform.ts";

async function json(url: string, init?: RequestInit): Promise<readonly [number, unknown]> {
  const response = await fetch(url, init);
  return [response.status, await response.json()];
}

const put = (body: unknown): RequestInit => ({
  method: "PUT",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

test("GET /workers names who asks for jobs; the token of a job may see neither workers nor faults", async () => {
  const platform = await localPlatform();
  expect(await json(`${platform.url}/workers`)).toEqual([200, { items: [] }]);
  expect(await fetchJob(platform, "primes", 0)).toMatchObject({ status: 204 });
  expect((await submit(platform, "primes", { number: 7 })).status).toBe(202);
  const { status, headers } = await fetchJob(platform, "primes");
  expect(status).toBe(200);
  expect(await json(`${platform.url}/workers`)).toEqual([
    200,
    { items: [expect.objectContaining({ service: "primes", "asked-at": expect.stringMatching(/^\d{4}-.*Z$/) })] },
  ]);
  for (const path of ["/workers", "/faults"]) {
    const { authorization = "" } = headers;
    expect((await fetch(platform.url + path, { headers: { authorization } })).status).toBe(403);
  }
});

test("GET and PUT /faults are the switches; what cannot be a fault is refused and changes nothing", async () => {
  const platform = await localPlatform();
  const url = `${platform.url}/faults`;
  const none = { drop: 0, dup: 0, delay: 0, "kill-lease": 0 };
  expect(await json(url)).toEqual([200, none]);
  const some = { drop: 0.05, dup: 0.1, delay: 20, "kill-lease": 1 };
  expect(await json(url, put(some))).toEqual([200, some]);
  expect(await json(url)).toEqual([200, some]);
  for (const [body, name] of [
    [{ drop: 1.1 }, "drop"],
    [{ delay: -1 }, "delay"],
    [{ "kill-lease": "1" }, "kill-lease"],
  ] as const)
    expect(await json(url, put(body))).toEqual([
      400,
      expect.objectContaining({ detail: expect.stringContaining(`${name} must be a number from 0 to`) }),
    ]);
  expect((await fetch(url, { method: "DELETE" })).status).toBe(405);
  expect(await json(url)).toEqual([200, some]);
  expect(await json(url, put({}))).toEqual([200, none]);
});
