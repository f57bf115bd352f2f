import type { Schema } from "../console/schema/schema.ts";

/** A field's title, or its name as words: `firstSeen` becomes `First seen`. */
export function labelOf(key: string, { title }: Schema): string {
  if (title !== undefined) return title;
  const words = key
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/[_-]+/g, " ")
    .trim();
  const isSentence = /^[\w ]+$/.test(words) && !/^[A-Z]{2}/.test(words);
  return isSentence ? words.charAt(0).toUpperCase() + words.slice(1).toLowerCase() : key;
}
