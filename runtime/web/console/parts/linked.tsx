import type { ComponentChildren, VNode } from "preact";

interface OutsideProps {
  /** An address of http or https. */
  readonly to: string;
  readonly children: ComponentChildren;
}

/** A link to another page. */
export function Outside({ to, children }: OutsideProps): VNode {
  return (
    <a href={to} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}

/** Matches an address in a text, to a sign that quotes or turns a text; a bracket only if the address opens it. */
const address = /\bhttps?:\/\/\w(?:\([^\s()]*\)|[^\s()<>"`\\\u2000-\u206f\u3000-\u303f\uff00-\uffef])+/g;

/** The parts of a text, whose addresses are links; undefined for a text without any. */
export function linked(text: string): ComponentChildren[] | undefined {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(address)) {
    // Marks at its end belong to the sentence.
    const to = found.replace(/[!'*,.:;?\]_}~|]+$/, "");
    parts.push(text.slice(end, index), <Outside to={to}>{to}</Outside>);
    end = index + to.length;
  }
  return end === 0 ? undefined : [...parts, text.slice(end)];
}
