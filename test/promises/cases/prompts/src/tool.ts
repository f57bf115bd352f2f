import { Message } from "tenon";

/** Reviews code.
 * @prompt
 * @param language The language of the code. */
export function review(language: "python" | "typescript"): Message[] {
  return [Message.user(`Review this ${language} code.`), Message.assistant("Where is it?")];
}

/** A note.
 * @resource notes://{id}
 * @mimeType text/markdown
 * @param id The id of the note. */
export async function note(id: number): Promise<string> {
  return `# Note ${id + 1}`;
}

/** Settings.
 * @resource settings://all */
export function settings(): { /** The colour. */ colour: string } {
  return { colour: "red" };
}
