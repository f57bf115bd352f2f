import type { Author, Note as Note2 } from "../schemas.js";

const notes: Note2[] = [];

/** @schema urn:example:schema.save-note.request.1 */
export interface SaveNoteRequest {
  author: Author;
  /** @maxLength 200 */
  text: string;
}

/** @schema urn:example:schema.notes.result.1 */
export interface NotesResult {
  notes: Note2[];
}

/** @schema urn:example:schema.notes.request.1 */
export interface NotesRequest {
  author?: Author;
}

/**
 * Saves a note.
 * @tool
 * @name save_note
 */
export async function saveNote(note: SaveNoteRequest): Promise<string> {
  notes.push(note);
  return "saved";
}

/**
 * Lists the notes of an author.
 * @tool
 * @name notes
 */
export async function notes2({ author }: NotesRequest): Promise<NotesResult> {
  const found = notes.filter((note) => author === undefined || note.author.name === author.name);
  return { notes: found };
}
