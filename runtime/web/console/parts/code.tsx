import type { ComponentChildren, VNode } from "preact";

/**
 * Shows a text unchanged, without wrapping lines. The element can be scrolled, so it can also be focused by the
 * keyboard.
 */
export function Code({ children }: { readonly children: ComponentChildren }): VNode {
  return (
    <pre class="code" tabIndex={0}>
      {children}
    </pre>
  );
}
