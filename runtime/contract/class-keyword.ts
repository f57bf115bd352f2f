/**
 * Keyword for values whose class in TypeScript is not their class in JSON: `Date`, `URL`, `bigint`, `bytes`
 * (`Uint8Array`), `Set` or `Map`. The other keywords are not enough, since a plain text may have the format of a date
 * too.
 */
export const classKeyword = "x-type";

/** Values of {@link classKeyword}. */
export type ClassName = "Date" | "URL" | "bigint" | "bytes" | "Set" | "Map";
