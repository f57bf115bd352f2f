import type { VNode } from "preact";
import { LongText } from "./long-text.tsx";
import { Markdown, isMarkdown } from "./markdown.tsx";

/** A text of a result: as Markdown where it is written so, else as it is. */
export function Prose({ text }: { readonly text: string }): VNode {
  return isMarkdown(text) ? <Markdown text={text} /> : <LongText text={text} />;
}
