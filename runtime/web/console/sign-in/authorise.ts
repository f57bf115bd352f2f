import { asRecord, asText, parseJson, toJson } from "../base/json.ts";
import type { Drafts, TokenSource } from "./token-source.ts";

/** Key in the tab's storage for data that is needed after signing in. It never contains a token. */
const kept = "tenon sign-in";

/**
 * Sends the person to the authorisation server, for a code with PKCE (RFC 7636). Rejects with a sentence that gives the
 * remedy if that is not possible.
 *
 * @param drafts What was typed into forms, which is there after the return
 * @param clientId The configured client id; without it the page registers itself (RFC 7591)
 */
export async function leaveToSignIn(
  { issuer, resource, scopes }: TokenSource,
  drafts: Drafts,
  clientId: string,
): Promise<void> {
  // `crypto.subtle` exists only in pages over https or on this machine.
  if (crypto.subtle === undefined) throw new Error("Open the page over https to sign in.");
  const server = await metadataOf(issuer);
  const redirect = location.origin + location.pathname;
  const client = clientId || (await register(asText(server["registration_endpoint"]), redirect));
  const [state, verifier] = [randomText(), randomText()];
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const way = {
    state,
    verifier,
    client,
    issuer,
    resource,
    at: server["token_endpoint"],
    view: location.hash,
    drafts: [...drafts],
  };
  sessionStorage.setItem(kept, toJson(way));
  const address = new URL(asText(server["authorization_endpoint"]) ?? "");
  if (!/^https?:$/.test(address.protocol)) throw new Error(`${address.href} is not an address to sign in at.`);
  const query = {
    response_type: "code",
    client_id: client,
    redirect_uri: redirect,
    state,
    code_challenge: base64(new Uint8Array(digest)),
    code_challenge_method: "S256",
    resource,
    ...(scopes !== "" && { scope: scopes }),
  };
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  location.assign(address);
}

/**
 * Exchanges the code in the page's address for a token; undefined when the page was not opened by signing in. Puts back
 * the drafts from before.
 */
export async function returnFromSignIn(drafts: Drafts): Promise<string | undefined> {
  const answer = new URLSearchParams(location.search);
  const way = asRecord(parseJson(sessionStorage.getItem(kept) ?? ""));
  const [state, code] = [answer.get("state"), answer.get("code")];
  if (state === null) return undefined;
  sessionStorage.removeItem(kept);
  // Removes the code from the address, so that neither the history nor a reload has it.
  history.replaceState(null, "", location.pathname + (asText(way["view"]) ?? ""));
  const sender = answer.get("iss") ?? way["issuer"];
  if (state !== way["state"] || sender !== way["issuer"])
    throw new Error("The answer is not that to a question of this tab. Sign in again.");
  for (const [key, text] of (way["drafts"] ?? []) as Drafts) drafts.set(key, text);
  if (code === null)
    throw new Error(`The authorisation server said: ${answer.get("error_description") ?? answer.get("error") ?? "no"}`);
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    code,
    redirect_uri: location.origin + location.pathname,
    client_id: String(way["client"]),
    code_verifier: String(way["verifier"]),
    resource: String(way["resource"]),
  });
  const token = asText((await ask(String(way["at"]), { method: "POST", body }))["access_token"]);
  if (token === undefined) throw new Error("The authorisation server gave no token.");
  return token;
}

/** Metadata of an authorisation server (RFC 8414, or OpenID Connect Discovery). */
async function metadataOf(issuer: string): Promise<Readonly<Record<string, unknown>>> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  let failure: unknown;
  for (const address of [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ]) {
    try {
      const found = await ask(address);
      if (found["issuer"] === issuer) return found;
      throw new Error(`${address} is about another issuer.`);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function register(endpoint: string | undefined, redirect: string): Promise<string> {
  if (endpoint === undefined) {
    throw new Error(
      `The authorisation server takes no clients itself. Register a public client there with the address ${redirect}, and start the service with its id in TENON_AUTH_CLIENT_ID.`,
    );
  }
  const body = toJson({
    client_name: "tenon console",
    redirect_uris: [redirect],
    grant_types: ["authorization_code"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    // Only native clients may have a redirect URI on this machine.
    application_type: location.protocol === "https:" ? "web" : "native",
  });
  const answer = await ask(endpoint, { method: "POST", headers: { "content-type": "application/json" }, body });
  return String(answer["client_id"]);
}

/** Fetches JSON. */
async function ask(address: string, init?: RequestInit): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(address, init).catch(() => {
    throw new Error(
      `${address} cannot be reached from this page. Is the server up, and does it let pages of ${location.origin} read its answers (CORS)?`,
    );
  });
  const body = asRecord(parseJson(await response.text()));
  if (response.ok) return body;
  throw new Error(
    `${address} answered ${response.status}: ${asText(body["error_description"]) ?? asText(body["error"]) ?? ""}`,
  );
}

function randomText(): string {
  return base64(crypto.getRandomValues(new Uint8Array(32)));
}

/** Encodes bytes as base64url. */
function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace("=", "");
}
