/**
 * Keyword of a schema whose values are of another class in TypeScript than in JSON: `Date`, `URL`, `bigint`, `bytes`
 * (`Uint8Array`), `Set` or `Map`. The other keywords do not tell, since a text may have the form of a date as well.
 */
export const classKeyword = "x-type";

/** Values of {@link classKeyword}. */
export type ClassName = "Date" | "URL" | "bigint" | "bytes" | "Set" | "Map";
