import { ToolError } from "../../../runtime/base/errors.ts";
import { pageLinks } from "../../../runtime/fronts/http/page-links.ts";
import type { Exchange } from "./exchange.ts";

const usualSize = 10;
const largestSize = 500;
/** Parameters of all lists. */
const kept = [
  "status",
  "trace",
  "id",
  "entity",
  "schema",
  "content-path",
  "at-time",
  "include-content",
  "with-definition",
  "filter",
  "order-by",
  "order-desc",
  "order-direction",
];

/** The requested page of a list. */
export interface PageRequest {
  readonly limit: number;
  /** Position after which the page begins; undefined: the first page. */
  readonly before: number | undefined;
}

/** Reads `limit` and `page`. Throws `bad-request`. */
export function readPage(exchange: Exchange): PageRequest {
  const limit = readNumber("limit", exchange.query("limit")) ?? usualSize;
  return { limit: Math.max(1, Math.min(limit, largestSize)), before: readNumber("page", exchange.query("page")) };
}

/**
 * Sends a page, with the link to the next one when there is more.
 * @param rows In the order of the list; one more than the page's limit when there is a next page
 */
export function sendPage(
  exchange: Exchange,
  route: string,
  { limit }: PageRequest,
  rows: readonly { readonly seq: number; readonly item: object }[],
): void {
  const shown = rows.slice(0, limit);
  const next = rows.length > limit ? shown.at(-1)?.seq : undefined;
  const items = shown.map(({ item }) => item);
  exchange.json(200, {
    items,
    "at-time": new Date().toISOString(),
    links: pageLinks(`/${route}`, (name) => exchange.query(name), kept, next),
  });
}

function readNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new ToolError("bad-request", `${name} must be a whole number.`);
  return Number(text);
}
