import { expect, test } from "vitest";
import { consoleFrame, consolePage, consoleScript } from "../../../../../runtime/fronts/http/console-page.ts";

const texts = {
  script: "run()",
  style: "a{}",
  scriptHash: "'sha256-a'",
  styleHash: "'sha256-b'",
  scripts: { a1: { script: "view()", hash: "'sha256-d'" } },
};
const withSignIn = { ...texts, signIn: "login()", signInHash: "'sha256-c'" };

/** The policy of a page by directive, and its text. */
function read(...parameters: Parameters<typeof consolePage>) {
  const { headers, body } = consolePage(...parameters);
  const policy = headers[headers.indexOf("Content-Security-Policy") + 1] ?? "";
  return { headers, policy: policy.split("; "), html: String(body) };
}

test("the page runs its own script alone, and asks its own service alone", () => {
  const { headers, policy, html } = read(withSignIn);
  expect(policy).toEqual([
    "default-src 'none'",
    "script-src 'sha256-a' 'sha256-d'",
    "style-src 'sha256-b'",
    "connect-src 'self'",
    "img-src blob: data:",
    "media-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
  expect(headers.filter((_, index) => index !== 3)).toEqual([
    "Content-Type",
    "text/html; charset=utf-8",
    "Content-Security-Policy",
    "X-Content-Type-Options",
    "nosniff",
    "Referrer-Policy",
    "no-referrer",
    "Cache-Control",
    "no-cache",
  ]);
  expect(html.match(/<script[^>]*>[^<]*/g)).toEqual(['<script type="module">run()']);
  expect(html).toContain('data-client=""');
});

test("a page that signs in runs that script first, and may ask the authorisation server", () => {
  const { policy, html } = read(withSignIn, {
    origins: ["https://a.example", "https://b.example"],
    clientId: 'a"<&"b',
  });
  expect(policy).toContain("script-src 'sha256-c' 'sha256-a' 'sha256-d'");
  expect(policy).toContain("connect-src 'self' https://a.example https://b.example");
  expect(html.match(/<script[^>]*>[^<]*/g)).toEqual(['<script type="module">login()', '<script type="module">run()']);
  expect(html).toContain('data-client="a&quot;&lt;&amp;&quot;b"');
});

test("only the page of tenon dev knows that it is one", () => {
  expect(read(texts, undefined, { isDev: true }).html).toContain('data-client="" data-dev>');
  expect(read(texts).html).not.toContain("data-dev");
});

test("a page that shows views of tools has frames of its own origin alone, and theirs reaches nothing", () => {
  expect(read(texts, undefined, { hasFrame: true }).policy).toContain("frame-src 'self'");
  const { headers, body } = consoleFrame();
  expect(headers[headers.indexOf("Content-Security-Policy") + 1]?.split("; ")).toEqual([
    "default-src 'none'",
    "script-src 'unsafe-inline'",
    "style-src 'unsafe-inline'",
    "img-src data: blob:",
    "media-src data: blob:",
    "font-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "sandbox allow-scripts",
  ]);
  expect(String(body)).toContain("if (source !== parent) return");
  expect(String(body)).toContain("document.open(); document.write(data); document.close();");
  expect([headers.slice(0, 2), headers.slice(4)]).toEqual([
    ["Content-Type", "text/html; charset=utf-8"],
    ["X-Content-Type-Options", "nosniff", "Referrer-Policy", "no-referrer", "Cache-Control", "no-cache"],
  ]);
});

test("the script of a view is kept by browsers, and one of another build is not found", () => {
  const { headers, body } = consoleScript(texts, "a1");
  expect(body).toBe("view()");
  expect(headers).toEqual([
    "Content-Type",
    "text/javascript; charset=utf-8",
    "Content-Security-Policy",
    "default-src 'none'",
    "X-Content-Type-Options",
    "nosniff",
    "Referrer-Policy",
    "no-referrer",
    "Cache-Control",
    "public, max-age=31536000, immutable",
  ]);
  for (const name of ["a2", "", "toString"]) expect(() => consoleScript(texts, name)).toThrow("no such script");
});
