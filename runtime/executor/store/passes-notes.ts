/** Optional interface of a store that replicas share: they pass notes to one another. A note may be lost. */
export interface PassesNotes {
  /** Sends a note of at most 7,900 bytes to all replicas, this one included. */
  sendNote(text: string): Promise<void>;
  /** Calls `listener` with every note. Returns a function that unsubscribes. */
  onNote(listener: (text: string) => void): () => void;
}

/** True for a store through which replicas can send short messages to one another. */
export function passesNotes(store: object): store is PassesNotes {
  return "sendNote" in store && "onNote" in store;
}
