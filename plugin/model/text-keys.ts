import type { FieldTexts } from "./type.ts";

/** The keys of `FieldTexts`; the compiler refuses a list that is not complete. */
export const textKeys: { readonly [key in keyof Required<FieldTexts>]: true } = {
  title: true,
  description: true,
  deprecated: true,
  examples: true,
  header: true,
  at: true,
};
