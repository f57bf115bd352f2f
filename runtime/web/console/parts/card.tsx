import type { ComponentChildren, VNode } from "preact";

interface CardProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

/** A framed part of a view with a heading. */
export function Card({ title, children }: CardProps): VNode {
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** Cards side by side, where there is room. */
export function Columns({ children }: { readonly children: ComponentChildren }): VNode {
  return <div class="columns">{children}</div>;
}

/** The main part of a view. */
export function Page({ children }: { readonly children: ComponentChildren }): VNode {
  return (
    <main class="page" id="main">
      {children}
    </main>
  );
}
