/**
 * Value of `Platform-Forward-Url`: the absolute URL of the destination, in printable ASCII, without fragment.
 *
 * @param origin From `URL.origin`, so without user information.
 * @param path Path and query as they are sent; an absolute URL when the author calls a proxy of their own, which then
 *   is the destination.
 */
export function forwardUrl(origin: string, path: string): string {
  const absolute = /^https?:\/\//i.test(path) ? URL.parse(path) : null;
  const full =
    absolute === null
      ? origin + (path.startsWith("/") ? path : `/${path}`)
      : absolute.origin + absolute.pathname + absolute.search;
  const end = full.indexOf("#");
  // Clients write a path as Latin-1, so one character is one byte here too.
  return (end === -1 ? full : full.slice(0, end)).replace(/[^\x21-\x7e]/g, (char) => percent(char.charCodeAt(0)));
}

function percent(code: number): string {
  if (code > 0xff) return encodeURIComponent(String.fromCharCode(code).toWellFormed());
  return `%${code.toString(16).toUpperCase().padStart(2, "0")}`;
}
