/**
 * Keyword for values whose class in TypeScript differs from their type in JSON: `Date`, `URL`, `bigint`, `bytes`
 * (`Uint8Array`), `Set` or `Map`. Other keywords are not sufficient, since a plain text may have the format of a date
 * too.
 */
export const classKeyword = "x-type";

/** Values of {@link classKeyword}. */
export type ClassName = "Date" | "URL" | "bigint" | "bytes" | "Set" | "Map";
