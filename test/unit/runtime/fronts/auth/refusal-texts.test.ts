import { beforeAll, expect, test } from "vitest";
import { createAuthenticator } from "../../../../../runtime/fronts/auth/authenticator.ts";
import { readBearer } from "../../../../../runtime/fronts/auth/bearer-token.ts";
import type { AuthConfig } from "../../../../../runtime/service/config/auth-config.ts";
import { processorTime } from "../../../../support/processor-time.ts";
import { audience, createTokenIssuer, issuer, type TokenIssuer } from "../../../../support/token-issuer.ts";
import { b64 } from "./hostile-tokens.ts";

const config: AuthConfig = { issuer, audience, resource: audience, scopes: [], clientId: undefined };
let server: TokenIssuer;
beforeAll(async () => {
  server = await createTokenIssuer();
});

/** The refusal's text; the owner where the token is taken. */
async function saidOf(token: string): Promise<string> {
  const authenticator = createAuthenticator(config, { fetchJson: server.fetchJson });
  try {
    return (await authenticator.authenticate(`Bearer ${token}`)).owner;
  } catch (error) {
    return (error as Error).message;
  }
}

const kind = "The token is not an access token";
const idToken = `${kind}: send the access token, not an ID or refresh token.`;
const now = Math.floor(Date.now() / 1000);

test.each<[string, object, object, string]>([
  ["a lone claim of an ID token", { at_hash: "a" }, {}, idToken],
  ["another claim of an ID token", { c_hash: "a" }, {}, idToken],
  ...["ID", "Refresh", "Offline", "Logout"].map((typ): [string, object, object, string] => [
    `the typ ${typ} of Keycloak`,
    { typ },
    {},
    idToken,
  ]),
  ["a typ in the header", {}, { typ: "id_token+jwt" }, `${kind}, according to its typ.`],
  ["a typ that begins like one", {}, { typ: "at+jwt+x" }, `${kind}, according to its typ.`],
  ["a typ that ends like one", {}, { typ: "x/at+jwt" }, `${kind}, according to its typ.`],
  ["a key", { cnf: {} }, {}, "The access token is bound to a key (cnf); this service takes bearer tokens only."],
  ...["zip", "enc", "cty"].map((name): [string, object, object, string] => [
    name,
    {},
    { [name]: "x" },
    `The access token has the header member ${name}, which plain signed tokens do not have.`,
  ]),
  ["an end in the past", { exp: now - 60 }, {}, "The access token has expired."],
  ["no end", { exp: undefined }, {}, "The access token does not say when it expires (exp)."],
  ["a beginning in the future", { nbf: now + 90 }, {}, "The access token is not valid yet."],
  ["another audience", { aud: "https://a.example" }, {}, "The access token was issued for another audience."],
  ["our audience and a slash", { aud: `${audience}/` }, {}, "The access token was issued for another audience."],
  ["another issuer", { iss: "https://a.example" }, {}, "The access token is of another issuer."],
  ["an unknown key", {}, { kid: "x" }, "The access token is signed by a key that the issuer does not have."],
  ["nobody", { sub: undefined }, {}, "The access token does not say whom it was given to (sub)."],
  ["an empty name", { sub: "", azp: "" }, {}, "The access token does not say whom it was given to (sub)."],
  [
    "a name that is too long",
    { sub: "x".repeat(1025) },
    {},
    "The access token does not say whom it was given to (sub).",
  ],
])("a token with %s is refused, and says why", async (_, claims, header, text) => {
  expect(await saidOf(await server.token({ ...claims }, { ...header }))).toBe(text);
});

test.each<[string, object, object, readonly string[]]>([
  ["a long name", { sub: "x".repeat(1024) }, {}, ["sub", issuer, "x".repeat(1024)]],
  ["a client alone", { sub: undefined, azp: "cron" }, {}, ["client", issuer, "cron"]],
  ["a typ of its own in the claims", { typ: "Bearer" }, {}, ["sub", issuer, "ann"]],
  ["a typ in the claims that only contains one", { typ: "ID card" }, {}, ["sub", issuer, "ann"]],
  ["clocks that differ by less than half a minute", { exp: now - 15, nbf: now + 15 }, {}, ["sub", issuer, "ann"]],
])("a token with %s is taken", async (_, claims, header, owner) => {
  expect(await saidOf(await server.token({ ...claims }, { ...header }))).toBe(JSON.stringify(owner));
});

test("an end that is not finite is none, and a shared secret is no key", async () => {
  const [header, claims] = [
    { alg: "HS256", typ: "at+jwt" },
    { iss: issuer, aud: audience, sub: "ann", exp: now + 60 },
  ];
  expect(await saidOf(`${b64(header)}.${b64(claims)}.${b64("x")}`)).toBe(
    "The access token is signed by an algorithm that is not allowed.",
  );
  expect(await saidOf(`${b64({ ...header, alg: "ES256" })}.${b64("x")}.${b64("x")}`)).toBe(
    "The access token is not valid.",
  );
});

test("the form of a token is judged first", () => {
  const canonical = b64("x".repeat(30));
  // Three parts of 8,192 letters together, and one more.
  const longest = `${canonical}.${canonical}.${"A".repeat(8192 - 82)}`;
  expect(longest).toHaveLength(8192);
  expect(readBearer(`Bearer ${longest}`)).toBe(longest);
  for (const [token, text] of [
    [`${longest}A`, "The access token is longer than 8192 characters."],
    ["YQ.YQ.YQ.YQ.YQ", "The access token is encrypted; this service reads signed ones (JWS)."],
    ["YQ.YQ", "is not a JWT: this service needs signed JWT access tokens (RFC 9068), not opaque ones."],
    ["YQ.YQ.YQ.YQ", "is not a JWT: this service needs signed JWT access tokens (RFC 9068), not opaque ones."],
    ["YQ..YQ", "The access token is not a well-formed JWT."],
    ["YQ.YR.YQ", "The access token is not a well-formed JWT."],
  ] as const)
    expect(() => readBearer(`Bearer ${token}`)).toThrow(text);
  for (const text of [undefined, "Basic Bearer YQ.YQ.YQ", "Bearer YQ.YQ.YQ YQ"])
    expect(readBearer(text)).toBeUndefined();
  for (const text of ["Bearer YQ.YQ.YQ", "bearer   YQ.YQ.YQ  "]) expect(readBearer(text)).toBe("YQ.YQ.YQ");
});

test("a long header costs one pass", () => {
  const before = processorTime();
  const blanks = " ".repeat(50_000);
  for (const text of [`Bearer${blanks}x y`, `Bearer x${blanks}y`, `Bearer${blanks}`, `Bearer ${"x".repeat(100_000)} y`])
    expect(readBearer(text)).toBeUndefined();
  expect(processorTime() - before).toBeLessThan(1000);
});
