import type { ComponentChildren, VNode } from "preact";

/** A text as it is, in lines of their own length: it can be scrolled, so the keyboard reaches it. */
export function Code({ children }: { readonly children: ComponentChildren }): VNode {
  return (
    <pre class="code" tabIndex={0}>
      {children}
    </pre>
  );
}
