import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { cut } from "../base/format.ts";
import { Code } from "./code.tsx";
import { linked } from "./linked.tsx";
import { Quiet } from "./quiet-button.tsx";

const longestText = 20_000;
/** Matches blocks of lines that are laid out together: the browser lays out only blocks near the screen. */
const together = /(?:.*\n?){1,200}/g;

/** Returns the first `most` characters of a text, and the button that shows all of them. */
export function useLongText(text: string, most: number): readonly [shown: string, rest: VNode | false] {
  const [isWhole, setWhole] = useState(false);
  return isWhole || text.length <= most
    ? [text, false]
    : [cut(text, most), <Quiet press={() => setWhole(true)}>all {text.length} characters</Quiet>];
}

/** Shows a text of any length. */
export function LongText({ text }: { readonly text: string }): VNode {
  const [shown, rest] = useLongText(text, longestText);
  const parts = shown.match(together) ?? [];
  return (
    <>
      <Code>
        {parts.map((part) => (
          <div class="lines">{linked(part) ?? part}</div>
        ))}
      </Code>
      {rest}
    </>
  );
}
