import { connect, type Socket } from "node:net";

/** One connection, one request at a time, with little work of its own: the server is measured. */
export class Wire {
  readonly #socket: Socket;
  #text = "";
  #answer: ((answer: { head: string; body: string }) => void) | undefined;
  #fail: ((error: Error) => void) | undefined;

  constructor(port: number) {
    this.#socket = connect(port, "127.0.0.1").setNoDelay(true).setEncoding("latin1");
    this.#socket.on("error", () => {});
    this.#socket.on("close", () => this.#fail?.(new Error("The server has closed the connection.")));
    this.#socket.on("data", (chunk) => {
      this.#text += String(chunk);
      const end = this.#text.indexOf("\r\n\r\n");
      if (end < 0) return;
      const head = this.#text.slice(0, end);
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (this.#text.length < end + 4 + length) return;
      const body = this.#text.slice(end + 4);
      this.#text = "";
      this.#answer?.({ head, body });
    });
  }

  send(text: string): Promise<{ head: string; body: string }> {
    return new Promise((resolve, reject) => {
      this.#answer = resolve;
      this.#fail = reject;
      this.#socket.write(text, "latin1");
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}
