import type { AuthConfig } from "../../service/config/auth-config.ts";

/** Path of the metadata of a protected resource (RFC 9728); the resource's own path may follow. */
export const metadataPath = "/.well-known/oauth-protected-resource";

export interface Challenge {
  readonly error?: "invalid_token" | "insufficient_scope";
  /** Text for people, in printable ASCII without backslashes; quotes are replaced. */
  readonly description?: string;
  /** Scopes that the request needs. */
  readonly scopes: readonly string[];
}

/**
 * Makes values of `WWW-Authenticate` by RFC 6750 and RFC 9728.
 *
 * @param base Path under which a host serves all routes. The host may route nothing else here, so the address of the
 *   metadata begins with it.
 */
export function createChallenge(
  { resource }: Pick<AuthConfig, "resource">,
  base: string | undefined,
): (challenge: Challenge) => string {
  const metadata = metadataAddress(resource, base);
  return ({ error, description, scopes }) => {
    const parts = [
      ...(error === undefined ? [] : [`error="${error}"`]),
      ...(description === undefined ? [] : [`error_description="${description.replaceAll('"', "'")}"`]),
      ...(scopes.length === 0 ? [] : [`scope="${scopes.join(" ")}"`]),
      `resource_metadata="${metadata}"`,
    ];
    return `Bearer ${parts.join(", ")}`;
  };
}

function metadataAddress(resource: string, base = ""): string {
  const { origin, pathname, search } = new URL(resource);
  return `${origin}${base}${metadataPath}${pathname === "/" ? "" : pathname}${search}`;
}
