import { readFileSync } from "node:fs";
import { bundleScript } from "./bundle-script.ts";
import { headMark, scriptElement, styleElement } from "./html-parts.ts";
import { type HtmlText, readHtmlView } from "./html-view.ts";

/** Maximum bytes of a view: hosts load the whole view for each conversation, and some refuse longer messages. */
export const largestView = 4_000_000;

/** Bundles the file of a view into one HTML document. A view that cannot be built has problems. */
export async function bundleView(file: string): Promise<HtmlText> {
  const view = file.endsWith(".html") ? await readHtmlView(file, readFileSync(file, "utf8")) : await scriptView(file);
  const size = Buffer.byteLength(view.html);
  if (size <= largestView) return view;
  const message = `The view has ${size} bytes; ${largestView} are allowed.`;
  const fix = "leave large pictures and packages out, or have the tool return them";
  return { ...view, problems: [...view.problems, { message, fix, file }] };
}

async function scriptView(file: string): Promise<HtmlText> {
  const { code, style, files, problems } = await bundleScript({ file });
  const script = scriptElement(code);
  const head =
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    '<meta name="color-scheme" content="light dark">';
  const html =
    `<!doctype html><html><head>${head}${headMark}${styleElement(style)}</head>` +
    `<body><div id="root"></div>${script.html}</body></html>`;
  return { html, hashes: [script.hash], files, problems };
}
