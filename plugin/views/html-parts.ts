import { createHash } from "node:crypto";

/** Placeholder in a view's head. `tenon/internal/view` replaces it by the page's security policy and first script. */
export const headMark = "<!--tenon:head-->";

/** A script element, and the source expression that allows it in a content security policy. */
export interface InlineScript {
  readonly html: string;
  readonly hash: string;
}

/** Makes a script element. End tags and comments in its text are escaped, since they would end the element. */
export function scriptElement(code: string, attributes = ' type="module"'): InlineScript {
  const text = code.replaceAll(/<\/(?=script)/gi, String.raw`\x3C/`).replaceAll("<!--", String.raw`\x3C!--`);
  return { html: `<script${attributes}>${text}</script>`, hash: scriptHash(text) };
}

/** Returns the source expression that allows a script's text in a content security policy. */
export function scriptHash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** A style as an element. */
export function styleElement(style: string, attributes = ""): string {
  return style === "" && attributes === "" ? "" : `<style${attributes}>${styleContent(style)}</style>`;
}

/** The content of a style element. End tags in its text are escaped. */
export function styleContent(style: string): string {
  return style.replaceAll(/<\/(?=style)/gi, String.raw`<\/`);
}
