import type { ComponentChildren, VNode } from "preact";
import type { Loaded } from "../base/use-loaded.ts";

interface NoticeProps {
  readonly children: ComponentChildren;
}

export const noService = "No service is registered yet.";

/** A sentence in place of content. */
export function Notice({ children }: NoticeProps): VNode {
  return <p class="notice">{children}</p>;
}

/** Shows an error message. */
export function Failure({ children }: NoticeProps): VNode {
  return (
    <p class="notice error" role="alert">
      {children}
    </p>
  );
}

/** Shows words in a muted colour. */
export function Dim({ children }: NoticeProps): VNode {
  return <span class="dim">{children}</span>;
}

/** Shows a sentence in a muted colour. */
export function Remark({ children }: NoticeProps): VNode {
  return <p class="dim">{children}</p>;
}

/** Shows the mark of a required field. */
export function Required(): VNode {
  return (
    <span class="required" title="required">
      {" *"}
    </span>
  );
}

interface ProgressProps {
  readonly of: Loaded<unknown>;
  /** Text that is shown instead of an empty list. */
  readonly empty?: string | false;
}

/** Shows a placeholder for a value that is not loaded yet, could not be fetched, or is empty. */
export function Progress({ of, empty = false }: ProgressProps): VNode | false {
  if (of.failure !== undefined) return <Failure>{of.failure}</Failure>;
  if (of.value === undefined) return <Notice>Loading…</Notice>;
  return empty !== false && <Notice>{empty}</Notice>;
}
