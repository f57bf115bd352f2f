/** A two-way stream of JSON-RPC messages for a client of its own, for example the lines of stdio. */
export interface McpChannel {
  /** Begins to read. `message` is called with checked JSON-RPC messages only; `closed` once, when no more will come. */
  open(handlers: { readonly message: (message: object) => void; readonly closed: () => void }): void;
  /** Resolves when the message has left the process; rejects when it cannot. */
  send(message: object): Promise<void>;
  /** Stops reading and writing at once. */
  close(): void;
}
