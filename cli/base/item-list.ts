import { isObject } from "./is-object.ts";

/** One entry of a list that a service or a platform has answered. */
export type Item = Readonly<Record<string, unknown>>;

/** A page of a list. */
export interface ItemList {
  readonly items: readonly Item[];
  readonly links?: unknown;
}

/** True for a list of objects. */
export function areItems(value: unknown): value is readonly Item[] {
  return Array.isArray(value) && value.every(isObject);
}

/** True for a page of a list. */
export function isItemList(value: unknown): value is ItemList {
  return isObject(value) && areItems(value["items"]);
}

/**
 * Position of the next page; undefined on the last one. Only the position is taken from the link, since its path may
 * differ from that of the address which the user gave, as behind a proxy.
 */
export function nextPage({ links }: ItemList): string | undefined {
  const href = areItems(links) ? links.find(({ rel }) => rel === "next")?.["href"] : undefined;
  const page = typeof href === "string" ? URL.parse(href, "http://any/")?.searchParams.get("page") : undefined;
  return page === "" ? undefined : (page ?? undefined);
}
