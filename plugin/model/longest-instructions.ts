/** Bytes of a service's instructions that hosts show; they cut the rest. */
export const longestInstructions = 2048;
