import type { ComponentChildren, RefObject, VNode } from "preact";

interface CardProps {
  readonly title: string;
  /** Receives the card's element. */
  readonly box?: RefObject<HTMLElement | null>;
  readonly children: ComponentChildren;
}

/** A framed part of a view with a heading. */
export function Card({ title, box, children }: CardProps): VNode {
  return (
    <section class="card" aria-label={title} ref={box ?? null}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** Shows cards side by side, if there is room. */
export function Columns({ as, children }: { readonly as?: string; readonly children: ComponentChildren }): VNode {
  return <div class={`columns ${as ?? ""}`}>{children}</div>;
}

/** The main part of a view. */
export function Page({ children }: { readonly children: ComponentChildren }): VNode {
  return (
    <main class="page" id="main">
      {children}
    </main>
  );
}
