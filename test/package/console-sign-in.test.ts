import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Browser, HTTPRequest, Page } from "puppeteer-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { openBrowser } from "../support/browser.ts";
import { hostId, type OAuthServer, startOAuthServer } from "../support/oauth-server.ts";
import { builtProject } from "../support/built-project.ts";
import { type PackedProject, serve, type Served } from "../support/packed-project.ts";
import { primeFiles } from "../support/prime-project.ts";

const audience = "https://tools.example.org/mcp";
const signIn = '::-p-aria([name="Sign in"][role="button"])';

let user: PackedProject;
let browser: Browser;
let oauth: OAuthServer;
let page: Page;

beforeAll(async () => {
  user = builtProject(primeFiles);
  [browser, oauth] = await Promise.all([openBrowser(), startOAuthServer(audience, "primes:read")]);
});
afterAll(async () => {
  await browser.close();
  await oauth.stop();
  user.dispose();
});
beforeEach(async () => {
  const context = await browser.createBrowserContext();
  page = await context.newPage();
});
afterEach(() => page.browserContext().close());

const text = (): Promise<string> => page.evaluate("document.body.innerText") as Promise<string>;
const shows = (part: string | RegExp): Promise<void> => expect.poll(text).toMatch(part);
const serveWith = (env: Readonly<Record<string, string>>): Promise<Served> =>
  serve(join(user.root, "dist/service.mjs"), [], {
    TENON_AUTH_AUDIENCE: audience,
    TENON_AUTH_SCOPES: "primes:read",
    ...env,
  });

test("the page registers itself, signs in with a code and PKCE, comes back to its view, and keeps the token in memory", async () => {
  const served = await serveWith({ TENON_AUTH_ISSUER: oauth.issuer });
  const asked: URL[] = [];
  page.on("request", (request) => asked.push(new URL(request.url())));
  try {
    const answer = await page.goto(`${served.url}/docs#/tools/isPrime`);
    const policy = answer?.headers()["content-security-policy"] ?? "";
    expect(/connect-src ([^;]*)/.exec(policy)?.[1]).toBe(`'self' ${oauth.issuer}`);
    await shows(/An access token is needed(.|\n)*primes:read/);
    expect(await page.content()).not.toContain("isPrime");
    await page.locator(signIn).click();
    await page.locator('input[name="user"]').fill("ann");
    await page.locator("button").click();
    await shows("Tests whether a number is prime");
    expect(page.url()).toBe(`${served.url}/docs#/tools/isPrime`);
    await page.locator("button.primary").click();
    await shows(/Answer(.|\n)*200/i);
    const question = asked.find(({ pathname }) => pathname === "/auth");
    expect(Object.fromEntries(question?.searchParams ?? [])).toMatchObject({
      response_type: "code",
      code_challenge_method: "S256",
      resource: audience,
      scope: "primes:read",
      redirect_uri: `${served.url}/docs`,
    });
    expect(await page.evaluate("localStorage.length + sessionStorage.length")).toBe(0);
    await page.reload();
    await shows("An access token is needed");
  } finally {
    await served.stop();
  }
});

test("what was typed is there after signing in again; the page says who is signed in, and signs out", async () => {
  const served = await serveWith({ TENON_AUTH_ISSUER: oauth.issuer });
  const field = '::-p-aria([name="number *"][role="textbox"])';
  try {
    await page.goto(`${served.url}/docs#/tools/isPrime/${encodeURIComponent('{"number":7}')}`);
    // The answer to a call without a token is for programs.
    await shows("The service answers only callers with a token.");
    await page.locator(signIn).click();
    await page.locator('input[name="user"]').fill("ann");
    await page.locator("button").click();
    await shows(/ann\s+Sign out/);
    await expect.poll(() => page.title()).toBe("isPrime – Tools – Prime numbers – tenon console");
    // Typed text outlasts the request of the link that the address still has.
    await expect.poll(() => page.$eval('input[inputmode="decimal"]', (one) => one.value)).toBe("7");
    await page.locator(field).fill("7919");
    // The token expires while nobody does anything.
    const metadata = `${served.url}/.well-known/oauth-protected-resource/mcp`;
    await page.setRequestInterception(true);
    const expire = (request: HTTPRequest): void => {
      if (new URL(request.url()).pathname !== "/service.json") return void request.continue();
      const headers = { "www-authenticate": `Bearer error="invalid_token", resource_metadata="${metadata}"` };
      void request.respond({ status: 401, headers, body: '{"detail":"The access token has expired."}' });
    };
    page.on("request", expire);
    await shows(/The access token has expired\.(.|\n)*primes:read/);
    expect(await page.evaluate("document.activeElement.tagName")).toBe("H1");
    page.off("request", expire);
    await page.setRequestInterception(false);
    await page.locator(signIn).click();
    await shows(/ann\s+Sign out/);
    await expect.poll(() => page.$eval('input[inputmode="decimal"]', (one) => one.value)).toBe("7919");
    expect(await page.evaluate("localStorage.length + sessionStorage.length")).toBe(0);
    await page.goto(`${served.url}/docs#/tools/others`);
    await shows("There is no such tool, or your token does not have its scopes.");
    await page.locator('::-p-aria([name="Sign out"][role="button"])').click();
    await shows("An access token is needed");
  } finally {
    await served.stop();
  }
});

test("a page without a token asks the service for nothing again", async () => {
  const served = await serveWith({ TENON_AUTH_ISSUER: oauth.issuer });
  let refused = 0;
  page.on("response", (response) => {
    if (response.status() === 401) refused += 1;
  });
  try {
    await page.evaluateOnNewDocument("const real = setTimeout; setTimeout = (act, ms) => real(act, ms / 100);");
    await page.goto(`${served.url}/docs`);
    await shows("An access token is needed");
    // A minute of the page.
    await page.evaluate("new Promise((resolve) => setTimeout(resolve, 60_000))");
    expect(refused).toBeLessThan(3);
  } finally {
    await served.stop();
  }
});

test("an answer that this tab did not ask for gives no token", async () => {
  const served = await serveWith({ TENON_AUTH_ISSUER: oauth.issuer });
  try {
    await page.goto(`${served.url}/docs?code=stolen&state=of-somebody-else`);
    await shows(/not that to a question of this tab(.|\n)*Token/);
    expect(page.url()).toBe(`${served.url}/docs`);
    expect(asText(await page.content())).not.toContain("stolen");
  } finally {
    await served.stop();
  }
});

test("a refusal of the authorisation server is told in its own words", async () => {
  // The one client that it knows may come back to another address only.
  const served = await serveWith({ TENON_AUTH_ISSUER: oauth.issuer, TENON_AUTH_CLIENT_ID: hostId });
  try {
    await page.goto(`${served.url}/docs`);
    await page.locator(signIn).click();
    await shows("redirect_uri did not match any of the client's registered redirect_uris");
    expect(new URL(page.url()).searchParams.get("client_id")).toBe(hostId);
    await page.goto(`${served.url}/docs`);
    const state = await page.evaluate("JSON.parse(sessionStorage.getItem('tenon sign-in')).state");
    await page.goto(`${served.url}/docs?error=access_denied&error_description=Ann+said+no&state=${String(state)}`);
    await shows("The authorisation server said: Ann said no");
  } finally {
    await served.stop();
  }
});

test("without registration the page says what to set; without the server, what may be wrong", async () => {
  const server = createServer((_, response) => {
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    response.setHeader("access-control-allow-origin", "*");
    response.end(
      JSON.stringify({
        issuer,
        jwks_uri: `${issuer}/keys`,
        token_endpoint: `${issuer}/t`,
        authorization_endpoint: `${issuer}/a`,
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const served = await serveWith({ TENON_AUTH_ISSUER: issuer });
  try {
    await page.goto(`${served.url}/docs`);
    await page.locator(signIn).click();
    await shows(`Register a public client there with the address ${served.url}/docs`);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await page.locator(signIn).click();
    await shows("cannot be reached from this page");
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
  } finally {
    await served.stop();
    server.close();
  }
});

/** The page without its scripts and its address. */
function asText(html: string): string {
  return html.replaceAll(/<script.*?<\/script>/gs, "");
}
