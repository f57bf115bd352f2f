import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { Media } from "./media.tsx";

const type = "image/svg+xml";

/** Shows the text of an SVG document as a picture. */
export function Drawing({ text }: { readonly text: string }): VNode {
  const body = useMemo(() => new Blob([text], { type }), [text]);
  return <Media body={body} type={type} />;
}
