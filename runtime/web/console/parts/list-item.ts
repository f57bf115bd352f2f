/** Matches the sign before an entry of a list. */
export const listItem = /^\s*(?:[-*+]|\d+[.)])\s+/;
