import { createHash, generateKeyPairSync } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { createAuthenticator, type Authenticator } from "../../../../../runtime/fronts/auth/authenticator.ts";
import type { AuthConfig } from "../../../../../runtime/service/config/auth-config.ts";
import type { Caller } from "../../../../../runtime/fronts/http/identity.ts";
import { ToolError } from "../../../../../runtime/base/errors.ts";
import { audience, createTokenIssuer, issuer, type TokenIssuer } from "../../../../support/token-issuer.ts";
import { hostileTokens } from "./hostile-tokens.ts";

const config: AuthConfig = { issuer, audience, resource: audience, scopes: [], clientId: undefined };
const metadata = 'resource_metadata="https://tools.example.org/.well-known/oauth-protected-resource/mcp"';

let server: TokenIssuer;
beforeAll(async () => {
  server = await createTokenIssuer();
});

async function ask(authenticator: Authenticator, authorization: string | undefined, needs?: string[]): Promise<Caller> {
  return authenticator.authenticate(authorization, needs);
}

async function refusal(
  authenticator: Authenticator,
  authorization: string | undefined,
  needs?: string[],
): Promise<ToolError> {
  const answer = await ask(authenticator, authorization, needs).catch((error: unknown) => error);
  if (answer instanceof ToolError) return answer;
  throw new Error("the token was accepted");
}

describe("a token", () => {
  test("that is valid names its caller and scopes", async () => {
    const { fetchJson } = server;
    const authenticator = createAuthenticator(config, { fetchJson });
    const caller = await ask(authenticator, `Bearer ${await server.token({ scope: "a b" })}`);
    expect([caller.owner, [...caller.scopes]]).toEqual([JSON.stringify(["sub", issuer, "ann"]), ["a", "b"]]);
    for (const [claims, header] of [
      [{ aud: ["https://other.example", audience] }, {}],
      [{}, { typ: "JWT" }],
      [{}, { typ: undefined }],
      [{}, { typ: "application/at+jwt" }],
      [{}, { kid: undefined }],
      [{ exp: Math.floor(Date.now() / 1000) - 20 }, {}],
      [{ nbf: Math.floor(Date.now() / 1000) + 20 }, {}],
    ] as const) {
      expect((await ask(authenticator, `bearer  ${await server.token(claims, header)}`)).owner).toBe(caller.owner);
    }
    const client = await ask(
      authenticator,
      `Bearer ${await server.token({ sub: undefined, client_id: "cron", scp: ["x", "y z"] })}`,
    );
    expect([client.owner, [...client.scopes]]).toEqual([JSON.stringify(["client", issuer, "cron"]), ["x", "y", "z"]]);
  });

  test("that is hostile is refused with 401 and a reason that quotes nothing of it", async () => {
    const authenticator = createAuthenticator(config, { fetchJson: server.fetchJson });
    const tokens = await hostileTokens(server);
    expect(tokens.length).toBeGreaterThan(90);
    for (const [name, token] of tokens) {
      const error = await refusal(authenticator, `Bearer ${token}`).catch(() => undefined);
      expect([name, error?.kind]).toEqual([name, "unauthorized"]);
      expect(error?.challenge).toContain(metadata);
      const said = `${error?.message} ${error?.challenge}`;
      const quoted = token.split(".").filter((part) => part.length > 20 && said.includes(part));
      expect([name, quoted]).toEqual([name, []]);
    }
    // One for the keys; unknown ids do not cause more.
    expect(server.fetches()).toBeLessThanOrEqual(2);
  });

  test.each([undefined, "", "Basic YTpi", "Token abc", "Bearer", "bearerabc", "abc"])(
    "is asked for, without an error code, when the header is %j",
    async (header) => {
      const error = await refusal(createAuthenticator({ ...config, scopes: ["use"] }), header, ["more"]);
      expect([error.kind, error.challenge]).toEqual(["unauthorized", `Bearer scope="use more", ${metadata}`]);
    },
  );

  test("of all algorithms that are allowed", async () => {
    for (const alg of ["RS256", "PS256", "ES384", "ES512", "EdDSA", "Ed25519"]) {
      const other = await createTokenIssuer(issuer, alg);
      const authenticator = createAuthenticator(config, { fetchJson: other.fetchJson });
      expect([alg, (await ask(authenticator, `Bearer ${await other.token()}`)).scopes.size]).toEqual([alg, 0]);
    }
  });

  test("without scopes that are needed gets a challenge that names them all", async () => {
    const authenticator = createAuthenticator({ ...config, scopes: ["use"] }, { fetchJson: server.fetchJson });
    const error = await refusal(authenticator, `Bearer ${await server.token({ scope: "other" })}`, ["admin"]);
    expect(error.kind).toBe("insufficient-scope");
    expect(error.challenge).toBe(
      `Bearer error="insufficient_scope", error_description="The access token needs the scopes 'use', 'admin'.", scope="use admin", ${metadata}`,
    );
    const caller = await ask(authenticator, `Bearer ${await server.token({ scope: "use" })}`);
    expect(() => caller.require(["use"])).not.toThrow();
    expect(() => caller.require(["admin"])).toThrow("needs the scopes");
  });

  test("whose audience is the root of a host may have its slash", async () => {
    for (const ours of ["https://tools.example.org", "https://tools.example.org/"]) {
      const authenticator = createAuthenticator({ ...config, audience: ours }, { fetchJson: server.fetchJson });
      for (const aud of ["https://tools.example.org", "https://tools.example.org/"])
        expect((await ask(authenticator, `Bearer ${await server.token({ aud })}`)).owner).toContain("ann");
      expect((await refusal(authenticator, `Bearer ${await server.token()}`)).kind).toBe("unauthorized");
    }
  });

  test("that was valid a moment ago is not checked again, but never beyond its end", async () => {
    let time = Date.now();
    const authenticator = createAuthenticator(config, { fetchJson: server.fetchJson, today: () => new Date(time) });
    const token = `Bearer ${await server.token({ exp: Math.floor(time / 1000) + 30 })}`;
    await ask(authenticator, token);
    expect(authenticator.authenticate(token)).not.toBeInstanceOf(Promise);
    time += 31_000;
    expect(authenticator.authenticate(token)).toBeInstanceOf(Promise);
    time += 60_000;
    expect((await refusal(authenticator, token)).message).toContain("expired");
  });
});

describe("the issuer's keys", () => {
  test("are fetched once for many callers, and for 1,000 unknown key ids", async () => {
    const issuer2 = await createTokenIssuer();
    const authenticator = createAuthenticator(config, { fetchJson: issuer2.fetchJson });
    const tokens = await Promise.all(Array.from({ length: 1000 }, (_, id) => issuer2.token({}, { kid: `k${id}` })));
    const refused = await Promise.all(tokens.map((token) => refusal(authenticator, `Bearer ${token}`)));
    expect(new Set(refused.map(({ kind }) => kind))).toEqual(new Set(["unauthorized"]));
    expect(issuer2.fetches()).toBe(1);
  });

  test("are fetched again when the issuer signs with a new one, and the old one ends", async () => {
    const rotating = await createTokenIssuer();
    let clock = 1_000_000;
    const authenticator = createAuthenticator(config, { fetchJson: rotating.fetchJson, now: () => clock });
    const old = `Bearer ${await rotating.token()}`;
    await ask(authenticator, old);
    await rotating.rotate("second");
    const next = `Bearer ${await rotating.token()}`;
    expect((await refusal(authenticator, next)).kind).toBe("unauthorized");
    clock += 31_000;
    expect((await ask(authenticator, next)).owner).toContain("ann");
    expect(rotating.fetches()).toBe(2);
    // Withdrawn with its key, although it was valid a moment ago.
    expect((await refusal(authenticator, old)).kind).toBe("unauthorized");
    expect(rotating.fetches()).toBe(2);
  });

  test("cannot be fetched: 503 with Retry-After, few tries, and back by itself", async () => {
    const lost = await createTokenIssuer();
    let clock = 1_000_000;
    const authenticator = createAuthenticator(config, { fetchJson: lost.fetchJson, now: () => clock });
    const token = `Bearer ${await lost.token()}`;
    lost.fail(new Error("getaddrinfo ENOTFOUND"));
    for (let turn = 0; turn < 20; turn++) {
      const { kind, retryAfter, message } = await refusal(authenticator, token);
      expect([kind, retryAfter]).toEqual(["unavailable", 5]);
      expect(message).not.toContain("ENOTFOUND");
    }
    lost.fail(undefined);
    expect((await refusal(authenticator, token)).kind).toBe("unavailable");
    clock += 5001;
    expect((await ask(authenticator, token)).owner).toContain("ann");
    // Known keys go on for an hour; an unknown one cannot be judged.
    clock += 700_000;
    lost.fail(new Error("gone"));
    expect((await ask(authenticator, `Bearer ${await lost.token({ sub: "bob" })}`)).owner).toContain("bob");
    expect((await refusal(authenticator, `Bearer ${await lost.token({}, { kid: "new" })}`)).kind).toBe("unavailable");
    clock += 3_600_000;
    expect((await refusal(authenticator, `Bearer ${await lost.token({ sub: "carl" })}`)).kind).toBe("unavailable");
  });

  test.each([
    ["another issuer", { issuer: "https://evil.example.org", jwks_uri: `${issuer}/keys` }],
    ["keys that travel in the open", { issuer, jwks_uri: "http://login.example.org/keys" }],
    ["no keys", { issuer }],
    ["a list", []],
    ["null", null],
  ])("are not taken from a document with %s", async (_, document) => {
    const asked: string[] = [];
    const fetchJson = async (url: string): Promise<unknown> => {
      asked.push(url);
      return document;
    };
    const authenticator = createAuthenticator(config, { fetchJson });
    expect((await refusal(authenticator, `Bearer ${await server.token()}`)).kind).toBe("unavailable");
    expect(asked.every((url) => url.startsWith(`${issuer}/.well-known/`))).toBe(true);
  });

  test.each([
    ["no set", {}],
    ["no list", { keys: 1 }],
    ["null", null],
  ])("are not taken from %s", async (_, set) => {
    const fetchJson = async (url: string): Promise<unknown> =>
      url.endsWith("/keys") ? set : { issuer, jwks_uri: `${issuer}/keys` };
    const authenticator = createAuthenticator(config, { fetchJson });
    expect((await refusal(authenticator, `Bearer ${await server.token()}`)).kind).toBe("unavailable");
  });
});

test("a key with which anybody can sign is no key of the issuer", async () => {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const { n = "" } = publicKey.export({ format: "jwk" });
  const now = Math.floor(Date.now() / 1000);
  const parts = [
    { alg: "RS256", kid: "weak", typ: "at+jwt" },
    { iss: issuer, aud: audience, sub: "mallory", iat: now, exp: now + 600 },
  ];
  const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  // With the exponent 1 the padded digest (RFC 8017, 9.2) is its own signature.
  const info = Buffer.from("3031300d060960864801650304020105000420", "hex");
  const digest = Buffer.concat([info, createHash("sha256").update(signed).digest()]);
  const padding = Buffer.alloc(256 - digest.length - 3, 0xff);
  const signature = Buffer.concat([Buffer.from([0, 1]), padding, Buffer.from([0]), digest]);
  for (const e of ["AQ", "AAE", "AA", "Ag", "", undefined]) {
    const key = { kty: "RSA", n, ...(e !== undefined && { e }), kid: "weak", alg: "RS256", use: "sig" };
    const fetchJson = (address: string): Promise<unknown> =>
      Promise.resolve(address.endsWith("/keys") ? { keys: [key] } : { issuer, jwks_uri: `${issuer}/keys` });
    const authenticator = createAuthenticator(config, { fetchJson });
    const error = await refusal(authenticator, `Bearer ${signed}.${signature.toString("base64url")}`);
    expect([e, error.kind]).toEqual([e, "unauthorized"]);
  }
});

test("a token without a key id is verified by the keys that the issuer has now, at most once in half a minute", async () => {
  const own = await createTokenIssuer();
  const time = { now: 1_000_000 };
  const authenticator = createAuthenticator(config, { fetchJson: own.fetchJson, now: () => time.now });
  const take = async (sub: string): Promise<string> =>
    ask(authenticator, `Bearer ${await own.token({ sub }, { kid: undefined })}`).then(
      () => "taken",
      ({ message }: Error) => message,
    );
  expect(await take("a")).toBe("taken");
  await own.rotate("next");
  time.now += 29_999;
  expect([await take("b"), own.fetches()]).toEqual(["The access token is not valid.", 1]);
  time.now += 1;
  expect([await take("b"), await take("c"), own.fetches()]).toEqual(["taken", "taken", 2]);
});
