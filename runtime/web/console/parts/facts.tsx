import type { ComponentChildren, VNode } from "preact";

interface FactsProps {
  readonly rows: readonly (readonly [name: string, value: ComponentChildren])[];
}

/** Shows a list of names and values. */
export function Facts({ rows }: FactsProps): VNode {
  return (
    <dl class="facts">
      {rows.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}
