import { docsScript } from "./docs-script.ts";

const style = `
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:56rem;margin:0 auto;padding:1.5rem}
h1{font-size:1.5rem;margin:0}section{border:1px solid #8885;border-radius:.5rem;padding:1rem;margin:1rem 0}
h2{font-size:1.1rem;margin:0}code,pre,textarea{font:13px/1.5 ui-monospace,monospace}
pre{overflow:auto;background:#8881;padding:.75rem;border-radius:.25rem;white-space:pre-wrap}
textarea{width:100%;min-height:7rem;box-sizing:border-box}button{font:inherit;padding:.25rem 1rem}
`;

/**
 * A page that lists and calls the tools of the service. It reads `/openapi.json` and loads nothing from other hosts.
 */
export function docsPage(): Response {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Tools</title><style>${style}</style></head>
<body><h1 id="title">Tools</h1><p id="about"></p><p><a href="/openapi.json">OpenAPI document</a></p>
<main id="tools"></main><script type="module">${docsScript}</script></body></html>
`;
  const policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";
  return new Response(html, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": policy,
      "X-Content-Type-Options": "nosniff",
    },
  });
}
