/**
 * Types that a browser shows without running anything of them. A comma begins another type in what a browser reads, and
 * the last one counts: `text/plain;,text/html` is a page.
 */
const inert =
  /^(?:image\/(?!svg)[\w.+-]+|audio\/[\w.+-]+|video\/[\w.+-]+|font\/[\w.+-]+|text\/(?:plain|csv|markdown)|application\/(?:json|pdf|octet-stream|zip|gzip))\s*(?:;[^,]*)?$/i;
/** Types in which a page, or a script in a document, can stand. */
const runnable = /html|xml|svg|script/i;

/**
 * Headers with which a content that somebody else made cannot act as a page of this address. The browser must not guess
 * another type; what it would run gets no scripts and no origin, and is saved in place of being shown.
 *
 * @returns Names and values in turn
 */
export function inertHeaders(contentType: string): readonly string[] {
  const nosniff = ["X-Content-Type-Options", "nosniff"];
  if (inert.test(contentType)) return nosniff;
  const sandbox = [...nosniff, "Content-Security-Policy", "sandbox; default-src 'none'"];
  return runnable.test(contentType) ? [...sandbox, "Content-Disposition", "attachment"] : sandbox;
}
