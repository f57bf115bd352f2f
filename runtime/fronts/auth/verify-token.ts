import {
  decodeProtectedHeader,
  errors,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyOptions,
  type JWTVerifyResult,
} from "jose";
import { ToolError } from "../../base/errors.ts";
import type { JsonObject } from "../../contract/contract.ts";
import type { JobCaller } from "../../job/job.ts";
import type { AuthConfig } from "../../service/config/auth-config.ts";
import { BadToken } from "./bearer-token.ts";
import { fetchJson as fetchJsonOverHttp, type FetchJson } from "./issuer-document.ts";
import { IssuerKeys } from "./issuer-keys.ts";

/**
 * Supported algorithms, all of them asymmetric: with a shared secret, every service that verifies tokens could also
 * make them.
 */
const algorithms: readonly string[] = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];
/** Tolerance for clocks, in seconds. */
const clockTolerance = 30;

/** Content of a valid token. */
export interface VerifiedToken {
  /** Identifies the subject among all subjects of the issuer; never a credential. */
  readonly owner: string;
  readonly scopes: ReadonlySet<string>;
  readonly identity: JobCaller;
  /** Expiry in seconds since 1970. */
  readonly expires: number;
}

/** Verifies a token that has the form of a JWT. Rejects with a {@link BadToken}, or a `ToolError` `unavailable`. */
export type VerifyToken = (token: string) => Promise<VerifiedToken>;

export interface VerifierOptions {
  readonly auth: AuthConfig;
  readonly onChange: (failure: unknown) => void;
  readonly onKeys: () => void;
  readonly fetchJson?: FetchJson | undefined;
  /** Milliseconds of a monotonic clock. */
  readonly now?: (() => number) | undefined;
  /** Returns the time of day. */
  readonly today?: (() => Date) | undefined;
}

/** Creates the verification of tokens by the keys of one issuer. */
export function createVerifier(options: VerifierOptions): VerifyToken {
  const { auth, onChange, onKeys, fetchJson = fetchJsonOverHttp, now = () => performance.now() } = options;
  const keys = new IssuerKeys({ issuer: auth.issuer, fetchJson, now, onChange, onKeys });
  const audience = spellings(auth.audience);
  return async (token) => {
    const rules: JWTVerifyOptions = {
      issuer: auth.issuer,
      audience: [...audience],
      algorithms: [...algorithms],
      clockTolerance,
      requiredClaims: ["exp"],
      ...(options.today !== undefined && { currentDate: options.today() }),
    };
    let verified: JWTVerifyResult;
    try {
      verified = await verifyWith(keys, token, rules);
    } catch (error) {
      if (error instanceof ToolError) throw error;
      throw new BadToken(reasonOf(error), { cause: error });
    }
    checkKind(verified);
    return readClaims(verified.payload);
  };
}

/** Verifies a token; one without a key id again when the issuer has new keys, since nothing says that it needs one. */
async function verifyWith(keys: IssuerKeys, token: string, rules: JWTVerifyOptions): Promise<JWTVerifyResult> {
  try {
    return await tryKeys(keys, token, rules);
  } catch (error) {
    const mayNeedNew =
      error instanceof errors.JWSSignatureVerificationFailed && !("kid" in decodeProtectedHeader(token));
    if (!mayNeedNew || !(await keys.renew())) throw error;
    return tryKeys(keys, token, rules);
  }
}

/** A token without a key id is tried with every matching key. */
async function tryKeys(keys: IssuerKeys, token: string, rules: JWTVerifyOptions): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(token, (header, jws) => keys.find(header, jws), rules);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      try {
        return await jwtVerify(token, key, rules);
      } catch (failure) {
        if (!(failure instanceof errors.JWSSignatureVerificationFailed)) throw failure;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

/**
 * Members of a token's header that change how the payload is read: not encoded (RFC 7797), compressed or encrypted (RFC
 * 7516), of another kind (`cty`, RFC 7519). Tokens with these are refused, since ignoring one would read the token
 * differently than its issuer meant it.
 */
const foreignMembers = ["b64", "zip", "enc", "cty"] as const;

/**
 * Refuses tokens of the same issuer that are not access tokens. Also refuses tokens that require a proof of possession,
 * which a bearer token does not give.
 */
function checkKind({ protectedHeader, payload }: JWTVerifyResult): void {
  const { typ } = protectedHeader;
  const foreign = foreignMembers.find((name) => protectedHeader[name] !== undefined);
  if (foreign !== undefined)
    throw new BadToken(`The access token has the header member ${foreign}, which plain signed tokens do not have.`);
  if (typ !== undefined && !/^(?:application\/)?(?:at\+jwt|jwt)$/i.test(typ))
    throw new BadToken("The token is not an access token, according to its typ.");
  const isIdToken = payload["at_hash"] !== undefined || payload["c_hash"] !== undefined;
  const kind = payload["typ"];
  if (isIdToken || (typeof kind === "string" && /^(?:id|refresh|offline|logout)$/i.test(kind)))
    throw new BadToken("The token is not an access token: send the access token, not an ID or refresh token.");
  if (payload["cnf"] !== undefined)
    throw new BadToken("The access token is bound to a key (cnf); this service takes bearer tokens only.");
}

function readClaims(payload: JWTPayload): VerifiedToken {
  const { iss, sub, exp = 0 } = payload;
  const client = payload["client_id"] ?? payload["azp"];
  if (!Number.isFinite(exp)) throw new BadToken("The access token does not say when it expires (exp).");
  const owner = isName(sub) ? ["sub", iss, sub] : isName(client) ? ["client", iss, client] : undefined;
  if (owner === undefined) throw new BadToken("The access token does not say whom it was given to (sub).");
  const scopes = readScopes(payload);
  const identity = {
    ...(isName(sub) && { subject: sub }),
    ...(isName(client) && { client }),
    scopes: [...scopes],
    claims: payload as JsonObject,
  };
  return { owner: JSON.stringify(owner), scopes, identity: deepFreeze(identity), expires: exp };
}

/** Freezes an object: all jobs of a token share it, so no job may change it. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= 1024;
}

/** Reads the scopes: `scope` by RFC 9068, or `scp`, which some servers write as a list. */
function readScopes(payload: JWTPayload): ReadonlySet<string> {
  const found: string[] = [];
  for (const value of [payload["scope"], payload["scp"]]) {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const item of items) if (typeof item === "string") found.push(...item.split(" "));
  }
  return new Set(found.filter((scope) => scope !== ""));
}

/** Returns an audience with and without a trailing slash, if it is the address of a host. */
function spellings(audience: string): readonly string[] {
  const url = URL.parse(audience);
  if (url === null || url.pathname !== "/" || url.search !== "") return [audience];
  return [...new Set([audience, audience.replace(/\/$/, ""), audience.replace(/\/?$/, "/")])];
}

/** Explains to the caller why its token was refused, without quoting any part of the token. */
function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return "The access token has expired.";
  if (error instanceof errors.JWTClaimValidationFailed) {
    switch (error.claim) {
      case "aud":
        return "The access token was issued for another audience.";
      case "iss":
        return "The access token is of another issuer.";
      case "nbf":
        return "The access token is not valid yet.";
      case "exp":
        return "The access token does not say when it expires (exp).";
    }
    return "A claim of the access token is not valid.";
  }
  if (error instanceof errors.JOSEAlgNotAllowed)
    return "The access token is signed by an algorithm that is not allowed.";
  if (error instanceof errors.JWKSNoMatchingKey)
    return "The access token is signed by a key that the issuer does not have.";
  return "The access token is not valid.";
}
