import { Content, Message } from "tenon";

/**
 * Reviews code.
 * @prompt
 * @title Code review
 * @param language - Language of the code.
 * @param strict - Also matters of taste.
 */
export function review(language: "python" | "typescript", strict = false): string {
  return `${language} ${strict}`;
}

/**
 * A conversation.
 * @prompt
 */
export function talk(): readonly (Message | Content | string)[] {
  return [];
}

/**
 * All notes.
 * @resource notes://all
 * @mimeType text/markdown
 * @audience user assistant
 * @priority 0.5
 */
export function review_(): string {
  return "";
}

/**
 * Some notes.
 * @resource notes://{+folder}/{id}{?limit}
 * @name review
 * @param folder - Where.
 * @param id - Which.
 * @param limit - How many.
 */
export function some(folder: string, id: string, limit?: number): { id: string; limit?: number } {
  return { id: folder + id, ...(limit === undefined ? {} : { limit }) };
}
