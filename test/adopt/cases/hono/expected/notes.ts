import { ValueError } from "tenon";

/** @schema urn:example:schema.note.request.1 */
export interface Note {
  /** @minLength 1 */
  title: string;
  text: string;
}

const notes = new Map<string, Note>();

/** @schema urn:example:schema.get-notes.request.1 */
export interface GetNotesRequest {
  /**
   * @type integer
   * @minimum 1
   * @default 1
   */
  page: number;
}

/** @schema urn:example:schema.put-notes-by-id.request.1 */
export interface PutNotesByIdRequest {
  id: string;
  /** @minLength 1 */
  title?: string;
  text?: string;
}

/** @schema urn:example:schema.patch-notes-by-id.request.1 */
export interface PatchNotesByIdRequest {
  id: string;
}

// Not carried over: give it a value, or import it.
declare const c: any;

/** @schema urn:example:schema.delete-notes-by-id.request.1 */
export interface DeleteNotesByIdRequest {
  id: string;
  soft?: boolean;
}

/** @schema urn:example:schema.get-notes-by-id.request.1 */
export interface GetNotesByIdRequest {
  /** @minLength 1 */
  id: string;
}

/**
 * Lists the notes, page by page.
 * @tool
 * @readonly
 */
export function getNotes(input: GetNotesRequest): unknown {
  const { page } = input;
  return [...notes.values()].slice((page - 1) * 10, page * 10);
}

/**
 * POST /notes.
 * @tool
 */
export async function postNotes(input: Note): Promise<unknown> {
  const note = input;
  notes.set(note.title, note);
  return note;
}

/**
 * PUT /notes/:id.
 * @tool
 */
export function putNotesById(input: PutNotesByIdRequest): unknown {
  const { id } = { id: input.id };
  const note = notes.get(id);
  if (note === undefined) throw new ValueError("There is no such note.");
  notes.set(id, { ...note, ...(({ id: _0, ...rest }) => rest)(input) });
  return;
}

/**
 * PATCH /notes/:id.
 * @tool
 */
export function patchNotesById(input: PatchNotesByIdRequest): unknown {
  if (!notes.delete(input.id)) throw new ValueError("Not Found.");
  return;
}

/**
 * DELETE /:id.
 * @tool
 */
export function deleteNotesById(input: DeleteNotesByIdRequest): unknown {
  const user = c.get("user");
  return { gone: notes.delete(input.id), user };
}

/**
 * Reads a note.
 * @tool
 * @readonly
 */
export function getNotesById(input: GetNotesByIdRequest): Note {
  const note = notes.get(input.id);
  if (note === undefined) throw new ValueError("There is no such note.");
  return note;
}
