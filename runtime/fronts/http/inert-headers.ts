/**
 * Types that a browser shows without executing any part of them. The pattern allows no comma: browsers read the last
 * type after a comma, so `text/plain;,text/html` would be a page.
 */
const inert =
  /^(?:image\/(?!svg)[\w.+-]+|audio\/[\w.+-]+|video\/[\w.+-]+|font\/[\w.+-]+|text\/(?:plain|csv|markdown)|application\/(?:json|pdf|octet-stream|zip|gzip))\s*(?:;[^,]*)?$/i;
/** Types whose content can be a page, or a document with scripts. */
const runnable = /html|xml|svg|script/i;

/**
 * Returns headers that keep untrusted content from acting as a page of this origin. The browser must not guess another
 * type. Content that could be executed gets no scripts and no origin, and is downloaded instead of being shown.
 *
 * @returns Names and values, alternating
 */
export function inertHeaders(contentType: string): readonly string[] {
  const nosniff = ["X-Content-Type-Options", "nosniff"];
  if (inert.test(contentType)) return nosniff;
  const sandbox = [...nosniff, "Content-Security-Policy", "sandbox; default-src 'none'"];
  return runnable.test(contentType) ? [...sandbox, "Content-Disposition", "attachment"] : sandbox;
}
