import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";

export interface Tab {
  readonly name: string;
  readonly content: () => ComponentChildren;
}

/** Shows tabs with the keys of the WAI-ARIA pattern: arrows, Home and End. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }): VNode {
  const [chosen, setChosen] = useState(0);
  const id = `tab-${label}`;
  const at = Math.min(chosen, tabs.length - 1);
  const go = (event: KeyboardEvent): void => {
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = (to + tabs.length) % tabs.length;
    setChosen(next);
    document.getElementById(`${id}-${next}`)?.focus();
  };
  return (
    <div class="tabs">
      <div class="tab-list" role="tablist" aria-label={label} onKeyDown={go}>
        {tabs.map(({ name }, index) => (
          <button
            type="button"
            role="tab"
            id={`${id}-${index}`}
            aria-selected={index === at}
            aria-controls={`${id}-panel`}
            tabIndex={index === at ? 0 : -1}
            onClick={() => setChosen(index)}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${at}`} tabIndex={0}>
        {tabs[at]?.content()}
      </div>
    </div>
  );
}
