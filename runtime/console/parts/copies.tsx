import type { VNode } from "preact";
import type { CopyText } from "../base/copy-text.ts";
import { CopyButton } from "./copy-button.tsx";

/** Texts, each with its name and a button that copies it. */
export function Copies({ texts }: { readonly texts: readonly CopyText[] }): VNode {
  return (
    <ul class="copies">
      {texts.map(({ name, text }) => (
        <li>
          <span>{name}</span> <CopyButton label={`Copy ${name}`} text={() => text} />
          <pre class="code">{text}</pre>
        </li>
      ))}
    </ul>
  );
}
