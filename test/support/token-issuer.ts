import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from "jose";
import type { FetchJson } from "../../runtime/fronts/auth/issuer-document.ts";

export const issuer = "https://login.example.org";
export const audience = "https://tools.example.org/mcp";

/** An authorisation server without a network: keys, tokens, and the documents that it would publish. */
export interface TokenIssuer {
  readonly keys: readonly (JWK & { readonly kid: string })[];
  readonly privateKey: CryptoKey;
  /** Fetches of the key set so far. */
  readonly fetches: () => number;
  readonly fetchJson: FetchJson;
  /** Makes every fetch fail with this, hang with a promise that does not end, or succeed again. */
  fail(reason: Error | Promise<never> | undefined): void;
  /** Takes a new key in place of the old ones. */
  rotate(kid: string): Promise<void>;
  /**
   * A valid token of `ann` for an hour, less or more what is given. A claim or header member that is `undefined` is
   * left out.
   */
  token(claims?: Readonly<Record<string, unknown>>, header?: Readonly<Record<string, unknown>>): Promise<string>;
}

/** @param address Where it says that it is. */
export async function createTokenIssuer(address: string = issuer, alg = "ES256"): Promise<TokenIssuer> {
  let [pair, jwk] = await makeKey(alg, "first");
  let failure: Error | Promise<never> | undefined;
  let fetches = 0;
  return {
    get keys() {
      return [jwk];
    },
    get privateKey() {
      return pair.privateKey;
    },
    fetches: () => fetches,
    async fetchJson(url) {
      if (url === `${address}/keys`) {
        fetches++;
        if (failure !== undefined) throw await failure;
        return { keys: [jwk] };
      }
      if (failure !== undefined) throw await failure;
      if (url === `${address}/.well-known/openid-configuration`)
        return { issuer: address, jwks_uri: `${address}/keys` };
      throw new Error(`${url} answered 404`);
    },
    fail: (reason) => (failure = reason),
    async rotate(kid) {
      [pair, jwk] = await makeKey(alg, kid);
    },
    token(claims = {}, header = {}) {
      const now = Math.floor(Date.now() / 1000);
      const payload = { iss: address, aud: audience, sub: "ann", iat: now, exp: now + 3600, ...claims };
      return new SignJWT(payload)
        .setProtectedHeader({ alg, kid: jwk.kid, typ: "at+jwt", ...header })
        .sign(pair.privateKey);
    },
  };
}

async function makeKey(
  alg: string,
  kid: string,
): Promise<[{ readonly privateKey: CryptoKey }, JWK & { readonly kid: string }]> {
  const pair = await generateKeyPair(alg, { extractable: true });
  return [pair, { ...(await exportJWK(pair.publicKey)), kid, alg, use: "sig" }];
}

/** The same on a loopback port, for services in processes of their own. */
export async function serveTokenIssuer(): Promise<{
  readonly url: string;
  readonly tokens: TokenIssuer;
  stop(): void;
}> {
  const server = createServer((request, response) => {
    tokens.fetchJson(`${url}${request.url}`).then(
      (document) => response.end(JSON.stringify(document)),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const tokens = await createTokenIssuer(url);
  return { url, tokens, stop: () => void server.close() };
}
