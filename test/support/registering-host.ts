import { createHash, randomBytes } from "node:crypto";
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";

/** Memory of an MCP host that registers itself at the authorisation server. */
export class RegisteringHost implements OAuthClientProvider {
  // Nobody listens here: `signIn` reads the parameters of the redirection.
  readonly redirectUrl = "http://127.0.0.1:1/callback";
  readonly clientMetadata = {
    client_name: "Test host",
    redirect_uris: [this.redirectUrl],
    grant_types: ["authorization_code"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    application_type: "native",
  };
  /** The last authorisation request. */
  asked = new URL("none:");
  #client: StoredOAuthClientInformation | undefined;
  #tokens: StoredOAuthTokens | undefined;
  #discovered: OAuthDiscoveryState | undefined;
  #verifier = "";

  clientInformation(): StoredOAuthClientInformation | undefined {
    return this.#client;
  }
  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.#client = client;
  }
  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state;
  }
  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered;
  }
  tokens(): StoredOAuthTokens | undefined {
    return this.#tokens;
  }
  saveTokens(tokens: StoredOAuthTokens): void {
    this.#tokens = tokens;
  }
  redirectToAuthorization(url: URL): void {
    this.asked = url;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier(): string {
    return this.#verifier;
  }
}

/** An access token for a resource, of a client that is registered for it. */
export async function tokenFor(issuer: string, resource: string, scope: string): Promise<string> {
  const { clientMetadata, redirectUrl: redirect_uri } = new RegisteringHost();
  const registered = await fetch(`${issuer}/reg`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...clientMetadata, scope }),
  });
  const { client_id } = (await registered.json()) as { readonly client_id: string };
  const code_verifier = randomBytes(32).toString("base64url");
  const code_challenge = createHash("sha256").update(code_verifier).digest("base64url");
  const asked = { client_id, redirect_uri, resource, scope, response_type: "code" };
  const query = new URLSearchParams({ ...asked, code_challenge, code_challenge_method: "S256" });
  const code = (await signIn(new URL(`${issuer}/auth?${query}`))).get("code") ?? "";
  const answer = await fetch(`${issuer}/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      client_id,
      redirect_uri,
      code,
      code_verifier,
      resource,
    }),
  });
  return ((await answer.json()) as { readonly access_token: string }).access_token;
}

/**
 * Does what a person in a browser would with an authorisation request: fills in the pages of login and consent, until
 * the server leads back to the host. Resolves to the parameters that the host gets.
 */
export async function signIn(start: URL): Promise<URLSearchParams> {
  const jar = new Map<string, string>();
  let [url, form]: [URL, URLSearchParams | undefined] = [start, undefined];
  for (let hop = 0; hop < 20; hop += 1) {
    if (url.origin !== start.origin) return url.searchParams;
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const response: Response = await fetch(url, {
      redirect: "manual",
      headers: { cookie },
      ...(form !== undefined && { method: "POST", body: form }),
    });
    const text = await response.text();
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
    const location = response.headers.get("location");
    const [, prompt] = /name="prompt" value="(\w+)"/.exec(text) ?? [];
    if (location !== null) [url, form] = [new URL(location, url), undefined];
    else if (prompt !== undefined) form = new URLSearchParams({ prompt, login: "ann", password: "any" });
    else throw new Error(`${url.href} answered ${response.status}: ${text.slice(0, 500)}`);
  }
  throw new Error("The authorisation went in circles.");
}
