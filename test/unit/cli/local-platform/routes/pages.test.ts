import { expect, test } from "vitest";
import type { Exchange } from "../../../../../cli/local-platform/routes/exchange.ts";
import { readPage, sendPage } from "../../../../../cli/local-platform/routes/pages.ts";

/** The links of a page of two rows that a query asks for. */
function linksFor(query: string): unknown {
  const parameters = new URLSearchParams(query);
  let links: unknown;
  const exchange = {
    query: (name: string) => parameters.get(name) ?? undefined,
    json: (_: number, body: { readonly links: unknown }) => void (links = body.links),
  } as unknown as Exchange;
  const rows = [9, 8, 7].map((seq) => ({ seq, item: {} }));
  sendPage(exchange, "jobs", readPage(exchange), rows);
  return links;
}

test("the links of a page keep the filters of its query and its limit, and nothing else of it", () => {
  expect(linksFor("limit=2&status=failed&page=20&token=hunter2")).toEqual([
    { rel: "self", href: "/jobs?status=failed&limit=2&page=20" },
    { rel: "next", href: "/jobs?status=failed&limit=2&page=8" },
  ]);
  expect(linksFor("limit=2&filter=name%3D'a%26b'")).toEqual([
    { rel: "self", href: "/jobs?filter=name%3D%27a%26b%27&limit=2" },
    { rel: "next", href: "/jobs?filter=name%3D%27a%26b%27&limit=2&page=8" },
  ]);
  expect(linksFor("")).toEqual([{ rel: "self", href: "/jobs" }]);
});
