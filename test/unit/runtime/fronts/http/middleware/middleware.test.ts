import { expect, test } from "vitest";
import { ToolError } from "../../../../../../runtime/base/errors.ts";
import { createAccessRules } from "../../../../../../runtime/fronts/http/middleware/access-rules.ts";
import { createCors } from "../../../../../../runtime/fronts/http/middleware/cors.ts";
import { middleware } from "../../../../../../runtime/fronts/http/middleware/middleware.ts";
import { createRateLimit, limitedGate } from "../../../../../../runtime/fronts/http/middleware/rate-limit.ts";
import type { Admission, Gate, Exchange } from "../../../../../../runtime/fronts/http/exchange.ts";
import type { Caller } from "../../../../../../runtime/fronts/http/identity.ts";
import { fakeExchange, type FakeRequest } from "../../../../../support/fake-exchange.ts";

const caller = (owner: string): Caller => ({ owner }) as Caller;
const say = (text: string) => (exchange: Exchange, who: Caller | undefined) =>
  exchange.answer({ status: 200, headers: [], body: `${text} ${who?.owner ?? "nobody"}` });

interface Scene {
  readonly gate?: Gate;
  readonly pages?: readonly string[];
}

/** The status and the body, or the problem's type, of the answer to a request. */
async function ask(request: FakeRequest, { gate, pages = [] }: Scene = {}) {
  const fails = (): never => {
    throw new ToolError("not-found", "Nothing here.");
  };
  const core = {
    routes: new Map([
      ["/tool", say("tool")],
      ["/fails", fails],
    ]),
    fallback: say("else"),
    gate,
  };
  const access = createAccessRules({ allowedHosts: ["own.example"], allowedOrigins: pages });
  const handle = middleware({ core }, access, pages.length === 0 ? undefined : createCors(pages));
  const { exchange, answers } = fakeExchange({ host: "own.example", path: "/tool", ...request });
  const added: (readonly string[])[] = [];
  handle(Object.assign(exchange, { addHeaders: (headers: readonly string[]) => added.push(headers) }));
  await expect.poll(() => answers.length).toBe(1);
  const [answer] = answers;
  const body = String(answer?.body ?? "");
  return [answer?.status, body.startsWith("{") ? JSON.parse(body).type : body, ...added.flat().slice(0, 2)];
}

const problem = (kind: string): string => `urn:platform:problem:${kind}`;

test("a request goes to the handler of its path, and any other to the last one", async () => {
  expect(await ask({})).toEqual([200, "tool nobody"]);
  expect(await ask({ path: "/tool/" })).toEqual([200, "else nobody"]);
  expect(await ask({ path: "/fails" })).toEqual([404, problem("not-found")]);
});

test("hosts and origins are checked before; a probe may have any host, a page of a browser may not", async () => {
  for (const path of ["/tool", "/other", "/", "/docs"])
    expect([path, await ask({ path, host: "evil.example" })]).toEqual([path, [403, problem("forbidden")]]);
  for (const path of ["/healthz", "/readyz", "/_healtz"])
    expect([path, await ask({ path, host: "evil.example" })]).toEqual([path, [200, "else nobody"]]);
  expect(await ask({ headers: { origin: "https://evil.example" } })).toEqual([403, problem("forbidden")]);
});

test("a preflight of a listed page is answered here, a call of it gets headers and goes on", async () => {
  const pages = ["https://page.example"];
  const origin = "https://page.example";
  const preflight = { method: "OPTIONS", headers: { origin, "access-control-request-method": "POST" } };
  expect(await ask(preflight, { pages })).toEqual([204, ""]);
  expect(await ask({ headers: { origin } }, { pages })).toEqual([200, "tool nobody", "Vary", "Origin"]);
});

test.each<[string, (admission: Admission) => Admission | Promise<Admission>]>([
  ["at once", (admission) => admission],
  ["later", (admission) => Promise.resolve(admission)],
])("a gate that answers %s admits a caller, answers itself, or refuses", async (_, when) => {
  expect(await ask({}, { gate: () => when({ caller: caller("ann") }) })).toEqual([200, "tool ann"]);
  expect(await ask({}, { gate: () => when({ answer: { status: 205, headers: [], body: "gate" } }) })).toEqual([
    205,
    "gate",
  ]);
  const fails = { gate: () => when({ caller: caller("ann") }) };
  expect(await ask({ path: "/fails" }, fails)).toEqual([404, problem("not-found")]);
  const refuses = async (): Promise<never> => {
    throw new ToolError("unauthorized", "No.");
  };
  expect(await ask({}, { gate: refuses })).toEqual([401, problem("unauthorized")]);
});

test("requests are counted by caller, else by network; open paths and answers of the gate are not", async () => {
  let now = 0;
  const open = new Set(["/open"]);
  const gateOf = (gate: Gate | undefined): Gate =>
    limitedGate(
      createRateLimit({ count: 1, seconds: 60 }, () => now),
      gate,
      open,
    );
  const byCaller = gateOf((head) => ({ caller: caller(head.header("authorization") ?? "") }));
  const as = (authorization: string) => ask({ headers: { authorization } }, { gate: byCaller });
  expect([await as("ann"), await as("bob")]).toEqual([
    [200, "tool ann"],
    [200, "tool bob"],
  ]);
  expect(await as("ann")).toEqual([429, problem("too-many-requests")]);
  now += 60_000;
  expect(await as("ann")).toEqual([200, "tool ann"]);
  const byAddress = gateOf(undefined);
  expect(await ask({}, { gate: byAddress })).toEqual([200, "tool nobody"]);
  for (let count = 0; count < 2; count++)
    expect(await ask({ path: "/open" }, { gate: byAddress })).toEqual([200, "else nobody"]);
  expect(await ask({}, { gate: byAddress })).toEqual([429, problem("too-many-requests")]);
  const answers = gateOf(() => Promise.resolve({ answer: { status: 200, headers: [], body: "gate" } }));
  for (let count = 0; count < 2; count++) expect(await ask({}, { gate: answers })).toEqual([200, "gate"]);
});
