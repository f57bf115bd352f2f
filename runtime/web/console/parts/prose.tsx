import type { VNode } from "preact";
import { later } from "./later.tsx";
import { LongText } from "./long-text.tsx";
import { Markdown, isMarkdown } from "./markdown.tsx";

const Drawing = later(async () => (await import("./media.tsx")).Drawing);

/** Matches the start of an SVG document. Without its namespace, a browser does not show it as a picture. */
const svg = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE svg[^>]*>\s*)?<svg\s[^>]*xmlns=/;

/** Shows a text of a result: SVG as a picture, Markdown formatted, any other text unchanged. */
export function Prose({ text }: { readonly text: string }): VNode {
  return formatted(text) ?? <LongText text={text} />;
}

/** Shows a text that is SVG or has Markdown syntax; undefined for any other text. */
export function formatted(text: string): VNode | undefined {
  if (svg.test(text)) return <Drawing text={text} />;
  return isMarkdown(text) ? <Markdown text={text} /> : undefined;
}
