import type { ComponentChildren, VNode } from "preact";

interface QuietProps {
  readonly label?: string | undefined;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}

/** A button without a frame. */
export function Quiet({ label, onClick, children }: QuietProps): VNode {
  return (
    <button type="button" class="quiet" aria-label={label} onClick={onClick}>
      {children}
    </button>
  );
}

/** Asks for the rest of a long list; nothing where there is none. */
export function More({
  left,
  of,
  onClick,
}: {
  readonly left: number;
  readonly of: string;
  readonly onClick: () => void;
}): VNode | false {
  return left > 0 && <Quiet onClick={onClick}>{`${left} more ${of}`}</Quiet>;
}
