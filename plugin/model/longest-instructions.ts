/** Maximum bytes of a service's instructions; hosts cut the rest. */
export const longestInstructions = 2048;
