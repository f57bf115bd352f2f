/** Names that the bundler writes in place of JSX and of `undefined`. */
export { Fragment, h } from "preact";
/** Is never set. */
export const $undefined: undefined = void 0;
