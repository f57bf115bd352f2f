/** A two-way stream of JSON-RPC messages for one client, for example the lines of stdio. */
export interface McpChannel {
  /** Starts reading. `message` is called with valid JSON-RPC messages only; `closed` once, at the end of the input. */
  open(handlers: { readonly message: (message: object) => void; readonly closed: () => void }): void;
  /** Resolves when the message has been written; rejects when it cannot be. */
  send(message: object): Promise<void>;
  /** Stops reading and writing at once. */
  close(): void;
}
