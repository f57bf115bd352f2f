/** Characters that a token may have; larger ones are refused before anybody looks into them. */
const longestToken = 8192;

/** A token that does not count, and why; the message is for the caller. */
export class BadToken extends Error {
  override readonly name: string = "BadToken";
}

/**
 * The JWT of an `Authorization` header; undefined without one, or with another scheme. Throws a {@link BadToken} for what
 * is no JWT. Only its form is looked at: the scheme, the size, and three parts of base64url
 * that decode to what they spell, because a lenient decoder lets several texts stand for one token.
 */
export function readBearer(authorization: string | undefined): string | undefined {
  const [, token] = /^bearer +(\S*) *$/i.exec(authorization ?? "") ?? [];
  if (token === undefined) return undefined;
  if (token.length > longestToken) throw new BadToken(`The access token is longer than ${longestToken} characters.`);
  const parts = token.split(".");
  if (parts.length === 5) throw new BadToken("The access token is encrypted; this service reads signed ones (JWS).");
  if (parts.length !== 3)
    throw new BadToken(
      "The access token is no JWT: this service needs signed JWT access tokens (RFC 9068), not opaque ones.",
    );
  if (!parts.every(isCanonical)) throw new BadToken("The access token is no well-formed JWT.");
  return token;
}

function isCanonical(part: string): boolean {
  return part !== "" && Buffer.from(part, "base64url").toString("base64url") === part;
}
