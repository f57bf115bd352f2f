import { ToolError } from "../../base/errors.ts";
import { describeThrown } from "../../telemetry/log/describe-thrown.ts";
import { getLogger } from "../../telemetry/log/logging.ts";
import type { AuthConfig } from "../../service/config/auth-config.ts";
import { BadToken, readBearer } from "./bearer-token.ts";
import type { Caller } from "../http/identity.ts";
import { createChallenge } from "./challenge.ts";
import { createVerifier, type VerifiedToken, type VerifierOptions } from "./verify-token.ts";

/** Milliseconds for which a valid token is cached. */
const rememberedFor = 60_000;
const mostRemembered = 1000;

/** Identifies callers by their tokens. */
export interface Authenticator {
  /**
   * Returns the caller with the token in a header; a promise when the token must be verified first. Throws, or rejects
   * with, `unauthorized`, `insufficient-scope` or `unavailable`.
   *
   * @param needs Scopes that the request needs in addition to those of every request.
   */
  authenticate(authorization: string | undefined, needs?: readonly string[]): Caller | Promise<Caller>;
}

interface Remembered {
  readonly caller: Caller;
  /** End of the cache entry in milliseconds since 1970. */
  readonly until: number;
}

export interface AuthenticatorOptions extends Pick<VerifierOptions, "fetchJson" | "now" | "today"> {
  /** Path under which a host serves all routes; default none. */
  readonly base?: string | undefined;
}

/** @param options Replaceable clocks and network, for tests, and the place of the service. */
export function createAuthenticator(auth: AuthConfig, options: AuthenticatorOptions = {}): Authenticator {
  const challenge = createChallenge(auth, options.base);
  const { hash } = process.getBuiltinModule("node:crypto");
  const today = (): number => (options.today?.() ?? new Date()).getTime();
  // Cache of valid tokens, by digest, so that the tokens themselves are not stored.
  const remembered = new Map<string, Remembered>();
  const verifyToken = createVerifier({
    auth,
    ...options,
    onChange: logFailure(auth),
    // New keys clear the cache: a token of a key that the issuer has withdrawn must not stay valid.
    onKeys: () => remembered.clear(),
  });

  const callerOf = ({ owner, scopes, identity }: VerifiedToken): Caller => ({
    owner,
    scopes,
    identity,
    require(needs) {
      if (needs.every((scope) => scopes.has(scope))) return;
      const all = [...new Set([...auth.scopes, ...needs])];
      const names = all.map((scope) => JSON.stringify(scope)).join(", ");
      const message = `The access token needs the scope${all.length === 1 ? "" : "s"} ${names}.`;
      throw new ToolError("insufficient-scope", message, {
        challenge: challenge({ error: "insufficient_scope", description: message, scopes: all }),
      });
    },
  });

  const verify = async (token: string, key: string, needs: readonly string[]): Promise<Caller> => {
    let verified: VerifiedToken;
    try {
      verified = await verifyToken(token);
    } catch (error) {
      throw error instanceof BadToken ? unauthorized(error.message, needs, "invalid_token") : error;
    }
    const caller = callerOf(verified);
    const until = Math.min(today() + rememberedFor, verified.expires * 1000);
    if (until > today()) {
      const [oldest] = remembered.keys();
      if (remembered.size >= mostRemembered && oldest !== undefined) remembered.delete(oldest);
      remembered.set(key, { caller, until });
    }
    return allowed(caller, needs);
  };

  const allowed = (caller: Caller, needs: readonly string[]): Caller => {
    // All missing scopes are named at once.
    if (needs.length > 0 || auth.scopes.length > 0) caller.require([...auth.scopes, ...needs]);
    return caller;
  };

  const unauthorized = (message: string, needs: readonly string[], error?: "invalid_token"): ToolError => {
    const scopes = [...new Set([...auth.scopes, ...needs])];
    // Without a token, the challenge gets no error code, as RFC 6750 requires.
    const described = error === undefined ? {} : { error, description: message };
    return new ToolError("unauthorized", message, { challenge: challenge({ ...described, scopes }) });
  };

  return {
    authenticate(authorization, needs = []) {
      let token: string | undefined;
      try {
        token = readBearer(authorization);
      } catch (error) {
        throw error instanceof BadToken ? unauthorized(error.message, needs, "invalid_token") : error;
      }
      if (token === undefined) throw unauthorized("Send an access token: Authorization: Bearer <token>.", needs);
      const key = hash("sha256", token, "base64url");
      const known = remembered.get(key);
      if (known !== undefined && known.until > today()) return allowed(known.caller, needs);
      if (known !== undefined) remembered.delete(key);
      return verify(token, key, needs);
    },
  };
}

/** Logs once that the authorisation server is unreachable, and once that it is back. */
function logFailure({ issuer }: AuthConfig): (failure: unknown) => void {
  return (failure) => {
    if (failure === undefined)
      getLogger("tenon").info({ issuer }, "the keys of the authorisation server are there again");
    else
      getLogger("tenon").error(
        { issuer, error: describeThrown(failure) },
        "the keys of the authorisation server cannot be fetched; known ones are used for an hour, and callers are answered 503 without any",
      );
  };
}
