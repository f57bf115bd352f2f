import type { VNode } from "preact";
import { LongText } from "./long-text.tsx";
import { Markdown, isMarkdown } from "./markdown.tsx";

/** Shows a text of a result: as Markdown if it has Markdown syntax, else unchanged. */
export function Prose({ text }: { readonly text: string }): VNode {
  return isMarkdown(text) ? <Markdown text={text} /> : <LongText text={text} />;
}
