import { afterEach, describe, expect, test } from "vitest";
import { createExecutor } from "../../../runtime/executor/job-executor.ts";
import { createMemoryStore } from "../../../runtime/executor/store/memory/memory.ts";
import { servicePort } from "../../../runtime/fronts/mcp/service-port.ts";
import { Service } from "../../../runtime/service/service.ts";
import { fakeTool } from "../../support/fake-tool.ts";
import { startHttpService, type HttpService } from "./http-service.ts";
import { legacyBody, messagesOf, modernBody, modernHeaders, sendRaw } from "./raw-http.ts";

let service: HttpService | undefined;
afterEach(() => service?.stop());

const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };

/** The instructions of both revisions. */
async function instructionsOf(url: string): Promise<readonly unknown[]> {
  const answers = await Promise.all([
    sendRaw(url, legacyBody("initialize", hello)),
    sendRaw(url, modernBody("server/discover"), modernHeaders("server/discover")),
  ]);
  return answers.map(
    (answer) => (messagesOf(answer)[0]?.["result"] as { instructions?: unknown } | undefined)?.instructions,
  );
}

describe.each([
  ["the small engine", {}],
  ["the full engine", { plain: false } as const],
])("%s sends the instructions in both revisions", (_, parts) => {
  test("that the author wrote", async () => {
    const written = new Service({ name: "Test tools", instructions: "Use echo first." });
    service = await startHttpService({}, parts, written);
    expect(await instructionsOf(service.url)).toEqual(["Use echo first.", "Use echo first."]);
  });

  test("that are made", async () => {
    service = await startHttpService({}, parts);
    const [initialize, discover] = await instructionsOf(service.url);
    expect(initialize).toMatch(/^Tools for tests\.\n\n- /);
    expect(discover).toBe(initialize);
  });
});

test("tools with a scope are left out of made instructions where callers are authenticated", () => {
  const tools = [
    fakeTool(() => 1, { name: "open", description: "Opens." }),
    fakeTool(() => 1, { name: "hidden", description: "Hides.", definition: { scopes: ["a"] } }),
  ];
  const executor = createExecutor({ tools, store: createMemoryStore() });
  const named = (hasCallers: boolean): string | undefined =>
    servicePort({ service: new Service({ name: "S" }), version: "1", tools, executor, hasCallers }).instructions;
  expect([named(true), named(false)]).toEqual(["- open: Opens.", "- hidden: Hides.\n- open: Opens."]);
});

test("with tool search on, the instructions of many tools name the tools that search", () => {
  const tools = Array.from({ length: 31 }, (_, at) => fakeTool(() => 1, { name: `tool${at}`, path: `/${at}` }));
  const executor = createExecutor({ tools, store: createMemoryStore() });
  const options = { service: new Service({ name: "S" }), version: "1", tools, executor };
  expect(servicePort({ ...options, toolSearch: true }).instructions).toContain("with search_tools");
  expect(servicePort(options).instructions).toContain("- tool30: A tool made by hand.");
});
