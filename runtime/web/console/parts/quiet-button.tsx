import type { ComponentChildren, VNode } from "preact";

interface QuietProps {
  readonly label?: string | undefined;
  /** Called when the button is pressed. */
  readonly press: () => void;
  readonly children: ComponentChildren;
}

/** Shows a button without a frame. */
export function Quiet({ label, press, children }: QuietProps): VNode {
  return (
    <button type="button" class="quiet" aria-label={label} onClick={press}>
      {children}
    </button>
  );
}

/** Shows a button for the rest of a long list; nothing if there is no rest. */
export function More({
  left,
  of,
  press,
}: {
  readonly left: number;
  readonly of: string;
  /** Called when the button is pressed. */
  readonly press: () => void;
}): VNode | false {
  return left > 0 && <Quiet press={press}>{`${left} more ${of}`}</Quiet>;
}
