import type { Note } from "./contract.js";
import { ValueError } from "tenon";

const stored = new Map<string, { id: string; title: string; text: string }>();

/** @schema urn:example:schema.list.request.1 */
export interface ListRequest {
  /**
   * @type integer
   * @minimum 1
   * @default 1
   */
  page: number;
  tag?: string;
}

/** @schema urn:example:schema.notes-read.request.1 */
export interface NotesReadRequest {
  /** @format uuid */
  id: string;
}

/** @schema urn:example:schema.change.request.1 */
export interface ChangeRequest {
  id: string;
  /** @minLength 1 */
  title?: string;
  text?: string;
}

// Not carried over: give it a value, or import it.
declare const headers: any;

/** @schema urn:example:schema.remove.request.1 */
export interface RemoveRequest {
  id: string;
}

/**
 * Lists the notes.
 *
 * Newest first.
 * @tool
 * @readonly
 */
export async function list(input: ListRequest): Promise<Note[]> {
  return [...stored.values()].filter(({ text }) => text.includes(input.tag ?? "")).slice((input.page - 1) * 10, input.page * 10);
}

/**
 * Reads a note.
 * @tool
 * @readonly
 */
export async function notesRead(input: NotesReadRequest): Promise<Note> {
  const note = stored.get(input.id);
  return note ? note : Promise.reject(new ValueError("Not Found."));
}

/**
 * Changes a note.
 * @tool
 */
export async function change(input: ChangeRequest): Promise<Note> {
  const note = stored.get(input.id);
  if (note === undefined) throw new ValueError("There is no such note.");
  stored.set(input.id, { ...note, ...(({ id: _0, ...rest }) => rest)(input) });
  const changed = { note, body: (({ id: _0, ...rest }) => rest)(input) };
  console.log(changed);
  return note;
}

/**
 * Removes a note.
 * @tool
 * @deprecated
 */
export async function remove(input: RemoveRequest): Promise<unknown> {
  if (headers["x-sure"] !== "yes" || !stored.delete(input.id)) throw new ValueError("Not Found.");
  return;
}
