import { ToolError } from "../../base/errors.ts";
import type { Answer } from "./answer.ts";

/** The texts of a console page, each with its hash as a source for a `Content-Security-Policy`: `'sha256-…'`. */
export interface ConsoleTexts {
  readonly script: string;
  readonly style: string;
  readonly scriptHash: string;
  readonly styleHash: string;
  /** Scripts that are loaded later, by the name under which the page asks for them: a hash of the script. */
  readonly scripts: Readonly<Record<string, ConsoleScript>>;
  /** The script that signs in; only the console of a service has one. */
  readonly signIn?: string;
  readonly signInHash?: string;
}

/** A script that is loaded later, with its hash as a source of a `Content-Security-Policy`. */
export interface ConsoleScript {
  readonly script: string;
  readonly hash: string;
}

/** Access of the console page to an authorisation server, if callers need a token. */
export interface ConsoleAccess {
  /** Origins that the page may request tokens from. */
  readonly origins: readonly string[];
  /** Client id of the page at that server; undefined: the page registers itself. */
  readonly clientId: string | undefined;
}

/** Properties of a console page. */
export interface ConsolePageOptions {
  /** True for a page that shows views of tools in a {@link consoleFrame}. */
  readonly hasFrame?: boolean;
  /** True for the page of `tenon dev`, which has more routes. */
  readonly isDev?: boolean;
}

/**
 * Makes the page of the console. The page contains no data of the service, so it can be public: it loads the data from
 * the service's routes, with the caller's token if one is needed. Nothing is loaded from other hosts.
 */
export function consolePage(
  texts: ConsoleTexts,
  access?: ConsoleAccess,
  { hasFrame = false, isDev = false }: ConsolePageOptions = {},
): Answer {
  const { script, style, scriptHash, styleHash, scripts } = texts;
  const { signIn = "", signInHash } = access === undefined ? {} : texts;
  const policy = [
    "default-src 'none'",
    ["script-src", signInHash, scriptHash, ...Object.values(scripts).map(({ hash }) => hash)].filter(Boolean).join(" "),
    `style-src ${styleHash}`,
    ["connect-src 'self'", ...(access?.origins ?? [])].join(" "),
    // `blob:` is for results, which are shown from memory; icons of tools may be `data:` addresses.
    "img-src blob: data:",
    "media-src blob:",
    // A frame cannot leave this origin either, by whatever address it navigates to.
    ...(hasFrame ? ["frame-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  const html =
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">' +
    `<title>tenon console</title><style>${style}</style></head><body><div id="root" data-client="${attribute(access?.clientId ?? "")}"${isDev ? " data-dev" : ""}>` +
    `<noscript>The console needs JavaScript. GET /openapi.json describes the service.</noscript></div>` +
    (signIn === "" ? "" : `<script type="module">${signIn}</script>`) +
    `<script type="module">${script}</script></body></html>\n`;
  // oxfmt-ignore
  const headers = [
    "Content-Type", "text/html; charset=utf-8",
    "Content-Security-Policy", policy,
    "X-Content-Type-Options", "nosniff",
    "Referrer-Policy", "no-referrer",
    "Cache-Control", "no-cache",
  ];
  return { status: 200, headers, body: html };
}

/**
 * Makes the page of a frame for the view of a tool: it becomes the document that the console sends it. The view's
 * scripts run in an origin of their own, without access to the console, to its token or to any network.
 */
export function consoleFrame(): Answer {
  const policy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; " +
    "media-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; " +
    "sandbox allow-scripts";
  const script =
    "onmessage = ({ source, data }) => { if (source !== parent) return; " +
    "document.open(); document.write(data); document.close(); };";
  // oxfmt-ignore
  const headers = [
    "Content-Type", "text/html; charset=utf-8",
    "Content-Security-Policy", policy,
    "X-Content-Type-Options", "nosniff",
    "Referrer-Policy", "no-referrer",
    "Cache-Control", "no-cache",
  ];
  return { status: 200, headers, body: `<!doctype html>\n<title>View</title><script>${script}</script>\n` };
}

/** Returns a script that the page loads later. Throws `not-found` for a name from another build. */
export function consoleScript({ scripts }: ConsoleTexts, name: string): Answer {
  const later = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
  if (later === undefined) throw new ToolError("not-found", "The console has no such script.");
  // oxfmt-ignore
  const headers = [
    "Content-Type", "text/javascript; charset=utf-8",
    "Content-Security-Policy", "default-src 'none'",
    "X-Content-Type-Options", "nosniff",
    "Referrer-Policy", "no-referrer",
    "Cache-Control", "public, max-age=31536000, immutable",
  ];
  return { status: 200, headers, body: later.script };
}

function attribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
