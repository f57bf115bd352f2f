/** The address of a page of a list, or of the one after it. */
type PageLink = Readonly<Record<"rel" | "href", string>>;

/**
 * Makes the links of a page of a list. The next page is filtered and as long as this one.
 *
 * @param query A parameter of the request
 * @param kept Names of the list's parameters. Others are left out, since a query may have a secret in it.
 * @param next Position where the next page begins; undefined on the last one
 */
export function pageLinks(
  path: string,
  query: (name: string) => string | undefined,
  kept: readonly string[],
  next: number | undefined,
): readonly PageLink[] {
  const parameters = new URLSearchParams();
  for (const name of [...kept, "limit", "page"]) {
    const value = query(name);
    if (value !== undefined) parameters.set(name, value);
  }
  const address = (): string => (parameters.size === 0 ? path : `${path}?${parameters}`);
  const self = { rel: "self", href: address() };
  if (next === undefined) return [self];
  parameters.set("page", String(next));
  return [self, { rel: "next", href: address() }];
}
