import { apiPath, jsonOf, type PlatformApi, type Query } from "./platform-api.ts";
import { PlatformError } from "./platform-errors.ts";

/** Maximum page size of the platform. */
const pageSize = 50;

/** All items of a list of the platform. Pages are fetched on demand, so `break` stops fetching. */
export async function* listPages(
  api: PlatformApi,
  operation: string,
  segments: readonly string[],
  query: Query,
  most = Infinity,
): AsyncGenerator<Readonly<Record<string, unknown>>, void, undefined> {
  const seen = new Set<string>();
  let page: string | undefined;
  let left = most;
  while (left > 0) {
    const path = apiPath(segments, { ...query, limit: Math.min(pageSize, left), page });
    const { items, links } = jsonOf(operation, await api.call({ operation, method: "GET", path }));
    if (!Array.isArray(items)) throw new PlatformError(operation, "the platform's answer has no list of items.");
    for (const item of items as readonly unknown[]) {
      if (typeof item !== "object" || item === null) {
        throw new PlatformError(operation, "the platform's answer has an item that is not an object.");
      }
      if (left-- <= 0) return;
      yield item as Readonly<Record<string, unknown>>;
    }
    page = nextPage(links);
    if (page === undefined) return;
    if (seen.has(page)) throw new PlatformError(operation, "the platform's pages go round in a circle.");
    seen.add(page);
  }
}

/** Returns the token of the next page. Only the token is used: an address in an answer is never followed. */
function nextPage(links: unknown): string | undefined {
  if (!Array.isArray(links)) return undefined;
  for (const link of links as readonly unknown[]) {
    const { rel, href } = (link ?? {}) as { readonly rel?: unknown; readonly href?: unknown };
    if (rel !== "next" || typeof href !== "string") continue;
    return URL.parse(href, "http://platform/")?.searchParams.get("page") ?? undefined;
  }
  return undefined;
}
