export class NotesService {
  readonly #notes = new Map<string, { id: string; text: string }>();

  find(text: string, limit: number): { id: string; text: string }[] {
    return [...this.#notes.values()].filter((note) => note.text.includes(text)).slice(0, limit);
  }

  async read(id: string): Promise<{ id: string; text: string }> {
    return this.#notes.get(id) ?? { id, text: "" };
  }

  async write(note: { id: string; text: string }): Promise<{ id: string; text: string }> {
    this.#notes.set(note.id, note);
    return note;
  }

  async remove(id: string): Promise<void> {
    this.#notes.delete(id);
  }
}
