import { isIpv6 } from "./address-formats.ts";

/**
 * Pattern of RFC 3986, appendix B. It splits any text into parts. Each part is then checked alone, so nothing
 * backtracks.
 */
const partsPattern = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;
const schemePattern = /^[a-z][a-z0-9+.-]*$/i;
const badPercentPattern = /%(?![0-9a-f]{2})/i;

/** Matches an address without user, port or escapes, as most are, whose parts need no check. */
const plainPattern =
  /^[a-z][a-z0-9+.-]*:(?:\/\/[\w.~-]{1,300}(?![^/?#])|(?!\/\/))[\w.~!$&'()*+,;=:@/-]*(?:\?[\w.~!$&'()*+,;=:@/?-]*)?(?:#[\w.~!$&'()*+,;=:@/?-]*)?$/i;

interface Alphabet {
  readonly user: RegExp;
  readonly host: RegExp;
  readonly path: RegExp;
  readonly query: RegExp;
  readonly fragment: RegExp;
}

function alphabet(international: string, privateUse: string, flags: string): Alphabet {
  const common = `[\\w.~!$&'()*+,;=%${international}\\-`;
  return {
    user: new RegExp(`^${common}:]*$`, flags),
    host: new RegExp(`^${common}]*$`, flags),
    path: new RegExp(`^${common}:@/]*$`, flags),
    query: new RegExp(`^${common}${privateUse}:@/?]*$`, flags),
    fragment: new RegExp(`^${common}:@/?]*$`, flags),
  };
}

const ascii = alphabet("", "", "");
const unicode = alphabet(
  "\\u{a0}-\\u{d7ff}\\u{f900}-\\u{fdcf}\\u{fdf0}-\\u{ffef}\\u{10000}-\\u{dffff}\\u{e1000}-\\u{efffd}",
  "\\u{e000}-\\u{f8ff}\\u{f0000}-\\u{10fffd}",
  "u",
);
/**
 * Maximum length of the host part. Longer names do not exist in the DNS, and conversion to punycode takes quadratic
 * time.
 */
const longestAuthority = 320;

/** True for an RFC 3986 URI with a scheme that a URL parser accepts as well. */
export function isUri(value: unknown): boolean {
  return typeof value === "string" && isReference(value, ascii, true) && URL.canParse(value);
}

/** True for an RFC 3986 URI or relative reference. */
export function isUriReference(value: unknown): boolean {
  return typeof value === "string" && isReference(value, ascii, false);
}

/** True for an RFC 3987 IRI with a scheme. */
export function isIri(value: unknown): boolean {
  return typeof value === "string" && isReference(value, unicode, true);
}

/** True for an RFC 3987 IRI or relative reference. */
export function isIriReference(value: unknown): boolean {
  return typeof value === "string" && isReference(value, unicode, false);
}

/** True for an `http`, `https` or `ftp` address with a host; letters of any script are allowed. */
export function isUrl(value: unknown): boolean {
  return (
    typeof value === "string" &&
    /^(?:https?|ftp):\/\/[^/?#]/i.test(value) &&
    isReference(value, unicode, true) &&
    URL.canParse(value)
  );
}

function isReference(text: string, letters: Alphabet, absolute: boolean): boolean {
  if (plainPattern.test(text)) return true;
  const parts = partsPattern.exec(text);
  if (parts === null || badPercentPattern.test(text)) return false;
  const [, scheme, authority, path = "", query = "", fragment = ""] = parts;
  if (scheme === undefined) {
    const firstSegment = path.slice(0, path.includes("/") ? path.indexOf("/") : undefined);
    if (absolute || (authority === undefined && firstSegment.includes(":"))) return false;
  } else if (!schemePattern.test(scheme)) return false;
  if (authority !== undefined && !isAuthority(authority, letters)) return false;
  return letters.path.test(path) && letters.query.test(query) && letters.fragment.test(fragment);
}

function isAuthority(authority: string, letters: Alphabet): boolean {
  if (authority.length > longestAuthority) return false;
  const at = authority.indexOf("@");
  if (!letters.user.test(authority.slice(0, Math.max(at, 0)))) return false;
  const hostAndPort = authority.slice(at + 1);
  const literal = /^\[([^\]]*)\](?::\d*)?$/.exec(hostAndPort);
  if (literal !== null) return isIpv6(literal[1]) || /^v[0-9a-f]+\.[\w.~!$&'()*+,;=:-]+$/i.test(literal[1] ?? "");
  const colon = hostAndPort.indexOf(":");
  if (colon >= 0 && !/^\d*$/.test(hostAndPort.slice(colon + 1))) return false;
  return letters.host.test(colon < 0 ? hostAndPort : hostAndPort.slice(0, colon));
}

const templateName = String.raw`(?:\w|%[0-9a-f]{2})+(?:\.(?:\w|%[0-9a-f]{2})+)*(?::[1-9]\d{0,3}|\*)?`;
const templateToken = new RegExp(
  String.raw`(?:[^\u0000- "%'<>\\^\x60{|}]|%[0-9a-f]{2})+|\{[+#./;?&=,!@|]?${templateName}(?:,${templateName})*\}`,
  "iy",
);

/** True for an RFC 6570 template: literals and `{expressions}`. */
export function isUriTemplate(value: unknown): boolean {
  if (typeof value !== "string") return false;
  templateToken.lastIndex = 0;
  while (templateToken.lastIndex < value.length) if (!templateToken.test(value)) return false;
  return true;
}
