/** Maximum length of a token; larger ones are refused unread. */
const longestToken = 8192;

/** An invalid token; the message is for the caller. */
export class BadToken extends Error {
  override readonly name: string = "BadToken";
}

/**
 * Reads the JWT of an `Authorization` header; undefined without a header, or with another scheme. Throws a {@link
 * BadToken} for a malformed token. Only the form is checked: scheme, size, and three parts in canonical base64url. A
 * lenient decoder would accept several texts for one token.
 */
export function readBearer(authorization: string | undefined): string | undefined {
  const [, token] = /^bearer +(\S+) *$/i.exec(authorization ?? "") ?? [];
  if (token === undefined) return undefined;
  if (token.length > longestToken) throw new BadToken(`The access token is longer than ${longestToken} characters.`);
  const parts = token.split(".");
  if (parts.length === 5) throw new BadToken("The access token is encrypted; this service reads signed ones (JWS).");
  if (parts.length !== 3)
    throw new BadToken(
      "The access token is not a JWT: this service needs signed JWT access tokens (RFC 9068), not opaque ones.",
    );
  if (!parts.every(isCanonical)) throw new BadToken("The access token is not a well-formed JWT.");
  return token;
}

function isCanonical(part: string): boolean {
  return part !== "" && Buffer.from(part, "base64url").toString("base64url") === part;
}
