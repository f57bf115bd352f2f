/**
 * Translates a text into another language, where the language is one of those that the service has a dictionary for,
 * and the text may be in any language, with or without markup, as long as it is short enough for the service.
 * @tool
 * @param text - The text to translate.
 */
export function translate(text: string): string {
  return text;
}

/**
 * Draws a picture.
 *
 * The picture shows what the words say, in the colours that they name, and nothing else beside it.
 * The picture shows what the words say, in the colours that they name, and nothing else beside it.
 * The picture shows what the words say, in the colours that they name, and nothing else beside it.
 * The picture shows what the words say, in the colours that they name, and nothing else beside it.
 * The picture shows what the words say, in the colours that they name, and nothing else beside it.
 * The picture shows what the words say, in the colours that they name, and nothing else beside it.
 * The picture shows what the words say, in the colours that they name, and nothing else beside it.
 * The picture shows what the words say, in the colours that they name, and nothing else beside it.
 * The picture shows what the words say, in the colours that they name, and nothing else beside it.
 * The picture shows what the words say, in the colours that they name, and nothing else beside it.
 * The picture shows what the words say, in the colours that they name, and nothing else beside it.
 * The picture shows what the words say, in the colours that they name, and nothing else beside it.
 * @tool
 * @param words - What to draw.
 */
export function draw(words: string): string {
  return words;
}
