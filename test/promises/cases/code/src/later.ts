/** Comes later. */
export const later = (): string => "later";
