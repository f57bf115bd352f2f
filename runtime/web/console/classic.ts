import { createElement } from "preact";
import type { ComponentChildren, ComponentType, VNode } from "preact";

/** Names that the bundler writes in place of JSX and of `undefined`. */
export { Fragment } from "preact";
/** Is never set. */
export const $undefined: undefined = void 0;

type Props = Readonly<Record<string, unknown>>;

/**
 * Makes an element. The build writes `p.dim` for a `p` with the class `dim`, and leaves the type of a button out that
 * sends nothing (`scripts/build/bundle-console.ts`).
 */
export function h(type: string | ComponentType, props: Props | 0, ...children: ComponentChildren[]): VNode {
  if (typeof type !== "string") return createElement(type, props as Props, ...children);
  const [tag = "", names] = type.split(".");
  const given = { ...(tag === "button" && { type: "button" }), ...(names && { class: names }), ...(props as Props) };
  return createElement(tag, given, ...children);
}
