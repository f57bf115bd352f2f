import type { ComponentChildren, VNode } from "preact";

interface QuietProps {
  readonly label?: string | undefined;
  /** Called when it is pressed. */
  readonly press: () => void;
  readonly children: ComponentChildren;
}

/** A button without a frame. */
export function Quiet({ label, press, children }: QuietProps): VNode {
  return (
    <button type="button" class="quiet" aria-label={label} onClick={press}>
      {children}
    </button>
  );
}

/** Asks for the rest of a long list; nothing where there is none. */
export function More({
  left,
  of,
  press,
}: {
  readonly left: number;
  readonly of: string;
  /** Called when it is pressed. */
  readonly press: () => void;
}): VNode | false {
  return left > 0 && <Quiet press={press}>{`${left} more ${of}`}</Quiet>;
}
