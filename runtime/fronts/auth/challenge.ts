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

/** Makes values of `WWW-Authenticate` by RFC 6750 and RFC 9728. */
export function createChallenge({ resource }: Pick<AuthConfig, "resource">): (challenge: Challenge) => string {
  const metadata = metadataAddress(resource);
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

function metadataAddress(resource: string): string {
  const { origin, pathname, search } = new URL(resource);
  return `${origin}${metadataPath}${pathname === "/" ? "" : pathname}${search}`;
}
