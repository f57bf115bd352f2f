import { afterEach, expect, test } from "vitest";
import type { ListFilter, ListPage } from "../../../../../runtime/executor/store/listed-jobs.ts";
import { jobList, type JobListRequest } from "../../../../../runtime/fronts/rest/job-list.ts";
import type { JobUrn } from "../../../../../runtime/job/job.ts";
import { Service } from "../../../../../runtime/service/service.ts";
import { clearRegistry, defineTool } from "../../../../../runtime/service/tools/registry.ts";
import { createFetchHandler } from "../../../../../runtime/start/create-fetch-handler.ts";
import { flushLogs, loggingInit } from "../../../../../runtime/telemetry/log/logging.ts";
import { fakeTool } from "../../../../support/fake-tool.ts";

const ended: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
  await flushLogs();
  clearRegistry();
});

interface Page {
  readonly items: readonly { readonly id: string; readonly tool: string }[];
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}

test("the link to the next page keeps the filters, the limit and the base path", async () => {
  loggingInit({ write: () => {} });
  for (const name of ["one", "other"]) {
    const { definition, functions } = fakeTool(() => 1, { name, path: `/tool/${name}`, request: {} });
    defineTool(definition, functions);
  }
  const ask = createFetchHandler(new Service({ name: "Test", version: "1" }), { basePath: "/api" });
  ended.push(ask.stop);
  const page = async (path: string): Promise<Page> =>
    (await (await ask(new Request(`http://localhost${path}`))).json()) as Page;
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
  for (const [index, tool] of ["one", "other", "one", "other", "one"].entries()) {
    const headers = { ...init.headers, "job-id": `j${index}` };
    expect((await ask(new Request(`http://localhost/api/tool/${tool}`, { ...init, headers }))).status).toBe(200);
  }

  const pages: string[][] = [];
  let path: string | undefined = "/api/jobs?tool=one&status=succeeded&limit=1";
  while (path !== undefined) {
    const { items, links } = await page(path);
    expect(links[0]).toEqual({ rel: "self", href: path });
    pages.push(items.map(({ id }) => id.replace("urn:platform:job:", "")));
    path = links.find(({ rel }) => rel === "next")?.href;
  }
  expect(pages).toEqual([["j4"], ["j2"], ["j0"]]);
  expect((await page("/api/jobs?token=hunter2")).links).toEqual([{ rel: "self", href: "/api/jobs" }]);
});

test("jobs of tools that exist no more are listed under tenon dev alone, and never those of hidden tools", async () => {
  const tools = [
    fakeTool(() => 1, { name: "kept" }),
    fakeTool(() => 1, { name: "hidden", definition: { scopes: ["admin"] } }),
  ];
  const common = { state: "succeeded", attempt: 1, isDead: false } as const;
  const stored = ["kept", "removed", "hidden"].map((tool, index) => ({
    ...common,
    seq: 3 - index,
    id: `urn:platform:job:${tool}` as JobUrn,
    tool,
  }));
  const executor = { store: { list: async () => ({ jobs: stored }) } } as unknown as JobListRequest["executor"];
  const caller = { owner: "ann", scopes: new Set<string>(), identity: { subject: "ann" }, require: () => {} };
  const names = async (more: Partial<JobListRequest>): Promise<unknown> => {
    const { items } = await jobList({ executor, tools, caller: undefined, query: () => undefined, ...more });
    return (items as unknown as Page["items"]).map(({ tool }) => tool);
  };
  const noted = (): Record<string, never> => ({});
  expect(await names({})).toEqual(["kept", "hidden"]);
  expect(await names({ noted })).toEqual(["kept", "removed", "hidden"]);
  expect(await names({ noted, caller: caller as unknown as JobListRequest["caller"] })).toEqual(["kept", "removed"]);
});

/** An executor whose store answers lists with a function. */
function listing(
  list: (before: number, limit: number, filter: ListFilter) => ListPage | Promise<ListPage>,
): JobListRequest["executor"] {
  return { store: { list } } as unknown as JobListRequest["executor"];
}

test("the store gets the filters, and a request examines at most 10,000 jobs", async () => {
  const tools = [
    fakeTool(() => 1, { name: "shown" }),
    fakeTool(() => 1, { name: "hidden", definition: { scopes: ["admin"] } }),
  ];
  const asked: [number, number, ListFilter][] = [];
  const executor = listing((before, limit, filter) => {
    asked.push([before, limit, filter]);
    return { jobs: [], next: before - (filter.most ?? 0) };
  });
  const values = new Map([
    ["page", "20001"],
    ["limit", "5"],
    ["status", "failed"],
    ["trace", "ab"],
  ]);
  const caller = { owner: "ann", scopes: new Set<string>() } as unknown as JobListRequest["caller"];
  const page = await jobList({ executor, tools, caller, query: (name) => values.get(name) });
  const [first, ...others] = asked;
  const filter = { of: { owner: "ann" }, id: undefined, tools: ["shown"], state: "failed", trace: "ab" };
  expect(first).toEqual([20_001, 6, { ...filter, most: 500 }]);
  expect(others.map(([before]) => before)).toEqual([19_501, 17_501, 15_501, 13_501, 11_501]);
  expect(asked.reduce((sum, [, , { most = 0 }]) => sum + most, 0)).toBe(10_000);
  expect(page).toMatchObject({ items: [], links: [{ rel: "self" }, { rel: "next" }] });
  expect(JSON.stringify(page["links"])).toContain("page=10001");
});
