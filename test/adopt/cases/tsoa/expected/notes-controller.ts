import { NotesService } from "../input/notes-service.js";

/** @schema urn:example:schema.note.result.1 */
export interface Note {
  id: string;
  /**
   * Its text
   * @minLength 1
   */
  text: string;
}

const ownNotes = new NotesService();

/**
 * Finds the notes that contain a text.
 * @tool
 * @readonly
 * @category Notes
 */
export async function findNotes(
  /** Text that they contain */
  text: string,
  /**
   * Greatest number of notes
   * @type integer
   * @minimum 1
   * @maximum 100
   */
  limit = 20,
): Promise<Note[]> {
  const notes = ownNotes.find(text, limit);
  return notes;
}

/**
 * Reads a note.
 * @tool
 * @readonly
 * @category Notes
 */
export async function readNote(id: string): Promise<Note> {
  return await ownNotes.read(id);
}

/**
 * Writes a note.
 * @tool
 * @category Notes
 * @scope notes:write
 */
export async function writeNote(note: Note): Promise<Note> {
  return await ownNotes.write(note);
}

/**
 * Deletes a note.
 * @tool
 * @category Notes
 * @scope notes:write notes:delete
 */
export async function deleteNote(id: string): Promise<void> {
  await ownNotes.remove(id);
}
