/**
 * Deletes a note.
 * @tool
 * @scope notes:read notes:write notes:read
 * @param id Which one.
 * @schema urn:example:schema.delete-note.request.1
 */
export function deleteNote(id: string): void {
  void id;
}

/** All notes. @resource notes://all @scope notes:read */
export function notes(): string {
  return "";
}

/**
 * Asks for a summary of the notes.
 * @prompt
 * @scope https://api.example.org/notes.read
 */
export function summary(): string {
  return "Summarise.";
}
