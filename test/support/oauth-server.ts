import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import { Provider } from "oidc-provider";

/** The one client that it knows, and where that takes codes. */
export const hostId = "test-host";
export const hostAddress = "http://127.0.0.1:1/callback";

/** A real OAuth server (oidc-provider) that lets every user in at once and grants what is asked for. */
export interface OAuthServer {
  readonly issuer: string;
  /**
   * Does what a browser would: follows the authorisation request through login and consent of a user, back to the
   * client. Resolves to the parameters that the client gets.
   */
  authorize(url: URL, user: string): Promise<URLSearchParams>;
  stop(): Promise<void>;
}

/** @param scopes Scopes of the one resource that it makes tokens for. */
export async function startOAuthServer(resource: string, scopes: string): Promise<OAuthServer> {
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {};
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const provider = new Provider(issuer, {
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: "test", alg: "RS256", use: "sig" }] },
    cookies: { keys: ["a key of tests"] },
    // Pages of any origin may ask for tokens, and register themselves.
    clientBasedCORS: () => true,
    clients: [
      {
        client_id: hostId,
        redirect_uris: [hostAddress],
        token_endpoint_auth_method: "none",
        application_type: "native",
        grant_types: ["authorization_code"],
        response_types: ["code"],
      },
    ],
    scopes: ["openid", "offline_access", ...scopes.split(" ")],
    pkce: { required: () => true },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, Interaction: 600, Session: 600 },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_, indicator) => ({
          scope: scopes,
          audience: indicator,
          accessTokenFormat: "jwt",
          accessTokenTTL: 600,
        }),
      },
    },
  });
  const callback = provider.callback();
  handle = (request, response) => {
    if (request.url?.startsWith("/interaction/") === true)
      void interact(provider, request, response).catch((error: unknown) => response.destroy(error as Error));
    else {
      if (request.url === "/reg") letPagesRegister(request, response);
      if (!response.writableEnded) void callback(request, response);
    }
  };
  return {
    issuer,
    authorize: (url, user) => browse(url, user, issuer),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** CORS of registration, which the package leaves to whoever wants it. */
function letPagesRegister(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader("access-control-allow-origin", "*");
  response.setHeader("access-control-allow-headers", "content-type");
  if (request.method === "OPTIONS") response.writeHead(204).end();
}

const loginPage =
  '<!doctype html><title>Login</title><form><label>Name <input name="user"></label><button>Log in</button></form>';

/**
 * The pages of login and consent. Consent is given at once; who logs in says a header, or a person in the page of the
 * login.
 */
async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { prompt, params, session, grantId } = await provider.interactionDetails(request, response);
  if (prompt.name === "login") {
    const user = request.headers["x-user"] ?? new URL(request.url ?? "", "http://localhost").searchParams.get("user");
    if (user === null) {
      response.setHeader("content-type", "text/html").end(loginPage);
      return;
    }
    const login = { accountId: String(user) };
    await provider.interactionFinished(request, response, { login }, { mergeWithLastSubmission: false });
    return;
  }
  const accountId = session?.accountId ?? "";
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const grant = known ?? new provider.Grant({ accountId, clientId: String(params["client_id"]) });
  const asked = prompt.details["missingOIDCScope"] ?? [];
  grant.addOIDCScope((asked as string[]).join(" "));
  const missing = prompt.details["missingResourceScopes"] ?? {};
  for (const [indicator, scopes] of Object.entries(missing as Record<string, string[]>))
    grant.addResourceScope(indicator, scopes.join(" "));
  const consent = { grantId: await grant.save() };
  await provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
}

async function browse(start: URL, user: string, issuer: string): Promise<URLSearchParams> {
  const jar = new Map<string, string>();
  let url = start;
  for (let hop = 0; hop < 20; hop++) {
    if (url.origin !== issuer) return url.searchParams;
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { redirect: "manual", headers: { cookie, "x-user": user } });
    const text = await response.text();
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
    const location = response.headers.get("location");
    if (location === null) throw new Error(`${url.href} answered ${response.status}: ${text.slice(0, 500)}`);
    url = new URL(location, url);
  }
  throw new Error("The authorisation went in circles.");
}
