/**
 * Matches the scheme and an IPv6 address as the host, whose brackets stay, and each character that a URL may contain in
 * some of its parts, and a URI in none, or only once.
 */
const unsafe = /^[\w+.-]+:\/\/[^/[?#]*\[[^\]]+]|[^\w.~!$&'()*+,;=:@/?%-]|%(?![\da-f]{2})/gi;

/** The text of a URL as a URI. */
export function uriText({ href }: URL): string {
  const hash = href.indexOf("#");
  return href.replaceAll(unsafe, (one, at: number) => (one[1] || at === hash ? one : encodeURIComponent(one)));
}
