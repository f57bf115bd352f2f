import type { VNode } from "preact";
import type { CopyText } from "../client/copy-as.ts";
import { Code } from "./code.tsx";
import { CopyButton } from "./copy-button.tsx";

/** Shows texts, each with its name and a button that copies it. */
export function Copies({ texts }: { readonly texts: readonly CopyText[] }): VNode {
  return (
    <ul class="copies">
      {texts.map(({ name, text }) => (
        <li>
          <span>{name}</span> <CopyButton label={`Copy ${name}`} text={() => text} />
          <Code>{text}</Code>
        </li>
      ))}
    </ul>
  );
}
