import type { Answer } from "./answer.ts";

/** A console, with the hashes of its texts as sources of a `Content-Security-Policy`: `'sha256-…'`. */
export interface ConsoleTexts {
  readonly script: string;
  readonly style: string;
  readonly scriptHash: string;
  readonly styleHash: string;
}

/**
 * The page of the console. It holds nothing of the service: all that it shows comes from routes that everybody may use,
 * so that it can be open where callers need a token. Loads nothing from other hosts.
 */
export function consolePage({ script, style, scriptHash, styleHash }: ConsoleTexts): Answer {
  const policy = [
    "default-src 'none'",
    `script-src ${scriptHash}`,
    `style-src ${styleHash}`,
    "connect-src 'self'",
    // Results are shown from memory, and icons of tools may be `data:` addresses.
    "img-src blob: data:",
    "media-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  const html =
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">' +
    `<title>tenon console</title><style>${style}</style></head><body><div id="root">` +
    `<noscript>The console needs JavaScript. GET /openapi.json describes the service.</noscript></div>` +
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
