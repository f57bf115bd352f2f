import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Quiet } from "./quiet-button.tsx";

/** Shows a button that copies a text and confirms that. */
export function CopyButton({ label, text }: { readonly label: string; readonly text: () => string }): VNode {
  const [said, setSaid] = useState("");
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text());
      setSaid("Copied");
    } catch {
      setSaid("Not allowed");
    }
    setTimeout(() => setSaid(""), 2000);
  };
  return (
    <Quiet press={() => void copy()}>
      {said === "" ? label : said}
      <span class="unseen" role="status">
        {said}
      </span>
    </Quiet>
  );
}
