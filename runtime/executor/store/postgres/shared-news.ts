import { JobNews } from "../job-news.ts";

/** The notifications of a store that replicas share, and the messages between them. */
export class SharedNews extends JobNews {
  readonly #onNote = new Set<(text: string) => void>();

  onNote(listener: (text: string) => void): () => void {
    this.#onNote.add(listener);
    return () => this.#onNote.delete(listener);
  }

  tellNote(text: string): void {
    for (const listener of this.#onNote) listener(text);
  }
}
