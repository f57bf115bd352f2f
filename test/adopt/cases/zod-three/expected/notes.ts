/** @schema urn:example:schema.note.request.1 */
export interface Note {
  title: string;
  /** @default "open" */
  status: "open" | "done";
  colour?: string;
  weight?: number;
  place?: string | null;
  /** @default true */
  shown: boolean;
}

/** @schema urn:example:schema.patch-notes.request.1 */
export interface PatchNotesRequest {
  title?: string;
  status?: "open" | "done";
  colour?: string;
  weight?: number;
  place?: string | null;
  shown?: boolean;
}

/**
 * Adds a note.
 * @tool
 */
export function postNotes(input: Note): unknown {
  return input;
}

/**
 * Changes the fields of a note that are given.
 * @tool
 */
export function patchNotes(input: PatchNotesRequest): unknown {
  return input;
}
