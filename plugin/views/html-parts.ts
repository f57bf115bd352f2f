import { createHash } from "node:crypto";

/** Placeholder in a view's head for the page's policy and first script, which `tenon/internal/view` inserts. */
export const headMark = "<!--tenon:head-->";

/** A script element, and the source expression that allows it in a content security policy. */
export interface InlineScript {
  readonly html: string;
  readonly hash: string;
}

/** A script as an element; end tags and comments in its text are escaped, since they would end it. */
export function scriptElement(code: string, attributes = ' type="module"'): InlineScript {
  const text = code.replaceAll(/<\/(?=script)/gi, String.raw`\x3C/`).replaceAll("<!--", String.raw`\x3C!--`);
  return { html: `<script${attributes}>${text}</script>`, hash: scriptHash(text) };
}

/** The expression for a script's text. */
export function scriptHash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** A style as an element. */
export function styleElement(style: string): string {
  return style === "" ? "" : `<style>${style.replaceAll(/<\/(?=style)/gi, String.raw`<\/`)}</style>`;
}
