import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { SignJWT } from "jose";
import type { TokenIssuer } from "../../../../support/token-issuer.ts";

/** Base64url of a text or of JSON. */
export function b64(value: unknown): string {
  return Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
}

/**
 * Tokens that must not count, made from one that does: the families of Project Wycheproof's JWS and JWT vectors, and
 * claims that make a token somebody else's. Name, and token or whole header value.
 */
export async function hostileTokens(issuer: TokenIssuer): Promise<readonly (readonly [string, string])[]> {
  const valid = await issuer.token();
  const [header = "", payload = "", signature = ""] = valid.split(".");
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as Record<string, unknown>;
  const [key] = issuer.keys;
  const kid = key?.kid;
  const now = Math.floor(Date.now() / 1000);
  const head = (members: object): string => b64({ alg: "ES256", kid, typ: "at+jwt", ...members });
  const signed = (first: string, second: string): string => {
    const bytes = sign("sha256", Buffer.from(`${first}.${second}`), { key: pem, dsaEncoding: "ieee-p1363" });
    return `${first}.${second}.${bytes.toString("base64url")}`;
  };
  const pem = Buffer.from(
    `-----BEGIN PRIVATE KEY-----\n${Buffer.from(await crypto.subtle.exportKey("pkcs8", issuer.privateKey)).toString("base64")}\n-----END PRIVATE KEY-----`,
  ).toString();
  const hmac = (first: string, secret: string | Buffer): string =>
    `${first}.${payload}.${createHmac("sha256", secret).update(`${first}.${payload}`).digest("base64url")}`;
  const other = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const otherJwk = other.publicKey.export({ format: "jwk" });
  const p384 = generateKeyPairSync("ec", { namedCurve: "P-384" });
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const raw = Buffer.from(signature, "base64url");
  const der = sign("sha256", Buffer.from(`${header}.${payload}`), { key: pem, dsaEncoding: "der" });
  const foreign = (first: string): string =>
    `${first}.${payload}.${sign("sha256", Buffer.from(`${first}.${payload}`), { key: other.privateKey, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
  const none = (alg: string): string => `${head({ alg })}.${payload}.`;
  const claim = (changed: Record<string, unknown>): Promise<string> => issuer.token(changed);
  const flip = (text: string, at: number): string =>
    text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1);

  return [
    // The signature does not count, or is of another kind.
    ["alg none", none("none")],
    ["alg None", none("None")],
    ["alg NONE", none("NONE")],
    ["alg none, with the signature", `${head({ alg: "none" })}.${payload}.${signature}`],
    ["alg empty", `${head({ alg: "" })}.${payload}.${signature}`],
    ["alg missing", `${head({ alg: undefined })}.${payload}.${signature}`],
    ["alg a number", `${head({ alg: 256 })}.${payload}.${signature}`],
    ["alg a list", `${head({ alg: ["ES256"] })}.${payload}.${signature}`],
    ["alg in other case", signed(head({ alg: "es256" }), payload)],
    ["HS256 with the public key as JSON", hmac(head({ alg: "HS256" }), JSON.stringify(key))],
    ["HS256 with the public x", hmac(head({ alg: "HS256" }), Buffer.from(key?.x ?? "", "base64url"))],
    ["HS256 with an empty secret", hmac(head({ alg: "HS256" }), "")],
    ["HS384", hmac(head({ alg: "HS384" }), "secret")],
    ["RS256 with an ES256 key id", signed(head({ alg: "RS256" }), payload)],
    ["ES384 with a P-256 key", signed(head({ alg: "ES384" }), payload)],
    ["ES256K", signed(head({ alg: "ES256K" }), payload)],
    ["ECDH-ES", signed(head({ alg: "ECDH-ES" }), payload)],
    // The signature is wrong.
    ["no signature", `${header}.${payload}.`],
    ["no signature part", `${header}.${payload}`],
    ["signature cut", `${header}.${payload}.${signature.slice(0, -4)}`],
    ["signature longer", `${header}.${payload}.${Buffer.concat([raw, Buffer.from([0])]).toString("base64url")}`],
    ["signature of zeroes", `${header}.${payload}.${Buffer.alloc(64).toString("base64url")}`],
    ["signature of ones", `${header}.${payload}.${Buffer.alloc(64, 255).toString("base64url")}`],
    ["signature with a changed bit", `${header}.${payload}.${flip(signature, 10)}`],
    [
      "signature with halves swapped",
      `${header}.${payload}.${Buffer.concat([raw.subarray(32), raw.subarray(0, 32)]).toString("base64url")}`,
    ],
    ["signature as DER", `${header}.${payload}.${der.toString("base64url")}`],
    [
      "signature of the payload alone",
      `${header}.${payload}.${sign("sha256", Buffer.from(payload), { key: pem, dsaEncoding: "ieee-p1363" }).toString("base64url")}`,
    ],
    ["payload changed", `${header}.${b64({ ...claims, sub: "bob" })}.${signature}`],
    ["header changed", `${head({ extra: 1 })}.${payload}.${signature}`],
    ["another key under the same id", foreign(header)],
    [
      "another curve",
      `${header}.${payload}.${sign("sha256", Buffer.from(`${header}.${payload}`), { key: p384.privateKey, dsaEncoding: "ieee-p1363" }).toString("base64url")}`,
    ],
    [
      "an RSA signature",
      `${header}.${payload}.${sign("sha256", Buffer.from(`${header}.${payload}`), rsa.privateKey).toString("base64url")}`,
    ],
    ["an unknown key id", foreign(head({ kid: "nobody" }))],
    ["a key id that is a path", foreign(head({ kid: "../../dev/null" }))],
    ["a key id that is no text", foreign(head({ kid: 1 }))],
    // The token brings its key along.
    ["jwk in the header", foreign(head({ jwk: otherJwk }))],
    ["jwk and no key id", foreign(head({ kid: undefined, jwk: otherJwk }))],
    ["jku in the header", foreign(head({ jku: "https://evil.example/keys" }))],
    ["x5u in the header", foreign(head({ x5u: "https://evil.example/cert" }))],
    ["x5c in the header", foreign(head({ x5c: ["AAAA"] }))],
    // Extensions that are not understood.
    ["crit unknown", signed(head({ crit: ["exp"], exp: now }), payload)],
    ["crit empty", signed(head({ crit: [] }), payload)],
    ["crit no list", signed(head({ crit: "b64" }), payload)],
    ["crit of what is not there", signed(head({ crit: ["x"] }), payload)],
    ["b64 false without crit", signed(head({ b64: false }), payload)],
    ["compressed", signed(head({ zip: "DEF" }), payload)],
    ["encrypted, as it says", signed(head({ enc: "A256GCM" }), payload)],
    ["a token in a token", signed(head({ cty: "JWT" }), payload)],
    ["b64 false", signed(head({ crit: ["b64"], b64: false }), payload)],
    [
      "b64 false, payload as it is",
      signed(head({ crit: ["b64"], b64: false }), JSON.stringify(claims).replaceAll(".", "-")),
    ],
    ["zip", `${head({ zip: "DEF" })}.${payload}.${signature}`],
    // The form is another.
    ["empty", ""],
    ["dots only", ".."],
    ["opaque", "3f9a1c77aabbccddeeff"],
    ["four parts", `${valid}.${signature}`],
    ["JWE, five parts", `${header}.${payload}.${signature}.${signature}.${signature}`],
    ["JSON serialisation", JSON.stringify({ protected: header, payload, signature })],
    ["padding", `${header}.${payload}.${signature}==`],
    ["padding of the payload", `${header}.${payload}=.${signature}`],
    ["standard base64", `${header}.${payload}.${raw.toString("base64")}`],
    ["a space inside", `${header}.${payload} .${signature}`],
    ["a space inside the signature", `${header}.${payload}.${signature.slice(0, 8)} ${signature.slice(8)}`],
    ["a stray character", `${header}.${payload}.${signature}!`],
    ["loose last bits", `${header}.${payload}.${loosened(signature)}`],
    ["header no JSON", `${b64("{alg")}.${payload}.${signature}`],
    ["header a list", signed(b64([]), payload)],
    ["header null", signed(b64("null"), payload)],
    ["header not UTF-8", signed(Buffer.from([0x7b, 0xff, 0x7d]).toString("base64url"), payload)],
    ["payload no JSON", signed(header, b64("hello"))],
    ["payload a list", signed(header, b64([claims]))],
    ["payload null", signed(header, b64("null"))],
    ["a token in a token", signed(head({ cty: "JWT" }), b64(valid))],
    ["a huge token", await claim({ filler: "x".repeat(9000) })],
    ["two tokens", `${valid},${valid}`],
    ["two tokens with a space", `${valid} ${valid}`],
    // It is somebody else's, or not for now.
    ["another issuer", await claim({ iss: "https://evil.example.org" })],
    ["issuer with a slash more", await claim({ iss: `${String(claims["iss"])}/` })],
    ["issuer a list", await claim({ iss: [claims["iss"]] })],
    ["no issuer", await claim({ iss: undefined })],
    ["another audience", await claim({ aud: "https://other.example.org" })],
    ["audience that only begins the same", await claim({ aud: `${String(claims["aud"])}/x` })],
    ["audience list without us", await claim({ aud: ["https://a.example", "https://b.example"] })],
    ["audience empty", await claim({ aud: [] })],
    ["no audience", await claim({ aud: undefined })],
    ["expired", await claim({ exp: now - 120 })],
    ["no exp", await claim({ exp: undefined })],
    ["exp no number", await claim({ exp: "9999999999" })],
    ["exp null", signed(header, b64({ ...claims, exp: null }))],
    ["exp not finite", signed(header, b64(JSON.stringify({ ...claims, exp: 0 }).replace('"exp":0', '"exp":1e999')))],
    ["not yet", await claim({ nbf: now + 3600 })],
    ["nbf no number", await claim({ nbf: "soon" })],
    ["no subject", await claim({ sub: undefined })],
    ["subject no text", await claim({ sub: 7 })],
    // It is no access token.
    ["typ of another kind", await issuer.token({}, { typ: "logout+jwt" })],
    ["typ id_token", await issuer.token({}, { typ: "id_token+jwt" })],
    ["typ DPoP proof", await issuer.token({}, { typ: "dpop+jwt" })],
    ["an ID token", await claim({ at_hash: "abc" })],
    ["an ID token of Keycloak", await claim({ typ: "ID" })],
    ["a refresh token of Keycloak", await claim({ typ: "Refresh" })],
    ["bound to a key", await claim({ cnf: { jkt: "abc" } })],
    [
      "signed by somebody else",
      await new SignJWT(claims).setProtectedHeader({ alg: "ES256", typ: "at+jwt" }).sign(other.privateKey),
    ],
  ];
}

/** Another spelling of the same bytes: the bits that no byte needs are set. */
function loosened(text: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return text.slice(0, -1) + (alphabet[alphabet.indexOf(text.at(-1) ?? "A") + 1] ?? "A");
}
