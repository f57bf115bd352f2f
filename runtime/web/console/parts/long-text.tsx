import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { cut } from "../base/format.ts";
import { Quiet } from "./quiet-button.tsx";

/** The first `most` characters of a text, and the button for all of them. */
export function useLongText(text: string, most: number): readonly [shown: string, rest: VNode | false] {
  const [isWhole, setWhole] = useState(false);
  return isWhole || text.length <= most
    ? [text, false]
    : [cut(text, most), <Quiet onClick={() => setWhole(true)}>all {text.length} characters</Quiet>];
}
