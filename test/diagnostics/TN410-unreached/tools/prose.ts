/** Prose that names the `@tool` tag, on nothing that is exported. */
const words = 1;
export { words };
