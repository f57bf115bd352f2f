import type { ComponentChildren, VNode } from "preact";

interface QuietProps {
  readonly label?: string | undefined;
  /** Called when the button is pressed. */
  readonly press: (event: { readonly currentTarget: HTMLElement }) => void;
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
  return left > 0 && <Quiet press={keepingPlace(press)}>{`${left} more ${of}`}</Quiet>;
}

/** Gives the focus to what has come in place of a button after its press, unless the button still has it. */
function keepingPlace(press: () => void) {
  return ({ currentTarget: button }: { readonly currentTarget: HTMLElement }): void => {
    const { parentElement: parent } = button;
    const row = parent?.matches("li") === true && parent.childElementCount === 1 ? parent : button;
    const { previousElementSibling: before, parentElement: list } = row;
    press();
    requestAnimationFrame(() => {
      if (document.activeElement === button) return;
      const first = (before?.nextElementSibling ?? list?.firstElementChild) as HTMLElement | null | undefined;
      // A row without a place in the order of tabs can have the focus by this alone.
      first?.setAttribute("tabindex", String(first.tabIndex));
      first?.focus();
    });
  };
}
