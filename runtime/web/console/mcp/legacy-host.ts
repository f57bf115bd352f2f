import { recordIn, textIn } from "../base/json.ts";
import type { Client } from "../client/client.ts";
import { clientCapabilities, clientInfo, lineOf, pause, resultOf, type Ask, type Host } from "./host.ts";
import type { JsonObject, Wire } from "./wire.ts";

const revision = "2025-11-25";
/** Milliseconds after which a stream that has ended is reopened, and how often in a row that may fail. */
const [retryAfter, mostFailures] = [1000, 10];

/** Creates a host of an older revision: it has a session, in whose streams the service sends questions as requests. */
export function legacyHost(client: Client, wire: Wire): Host {
  const closing = new AbortController();
  /** Listeners of updated resources by address. */
  const updated = new Map<string, () => void>();
  let session: string | undefined;
  /**
   * Promise of the session's opening. Every request waits for it, since a request that is sent earlier would not belong
   * to the session.
   */
  let opening: Promise<JsonObject> | undefined;

  const headers = (): Record<string, string> => ({
    "mcp-protocol-version": revision,
    ...(session !== undefined && { "mcp-session-id": session }),
  });

  /** Opens a stream of the session; `after`: id of the event after which the stream continues. */
  const stream = (signal?: AbortSignal, after?: string): Promise<Response> =>
    client.send("/mcp", {
      headers: { accept: "text/event-stream", ...headers(), ...(after !== undefined && { "last-event-id": after }) },
      ...(signal && { signal }),
    });

  const notify = async (method: string, params?: JsonObject): Promise<void> => {
    const response = await wire.post({ jsonrpc: "2.0", method, ...(params && { params }) }, headers());
    await response.body?.cancel();
  };

  /** Handles a message that is not the answer to the request: answers a question, or reports a notification. */
  function take(message: JsonObject, { signal, tell }: Pick<Ask, "signal" | "tell">): void {
    const { id } = message;
    const line = lineOf(message);
    if (line !== undefined) tell?.(line);
    const method = textIn(message, "method");
    if (method === "notifications/resources/updated") updated.get(textIn(recordIn(message, "params"), "uri") ?? "")?.();
    if (id === undefined || method === undefined) return;
    const reply = async (): Promise<void> => {
      const answer = method === "ping" ? {} : await wire.ask(method, recordIn(message, "params"), signal);
      const part = answer === undefined ? { error: { code: -1, message: "The person refused." } } : { result: answer };
      const response = await wire.post({ jsonrpc: "2.0", id, ...part }, headers());
      await response.body?.cancel();
    };
    // A failure to reply is ignored, since a cancelled call needs no answer.
    reply().catch(() => {});
  }

  async function request({ method, params, signal, tell }: Ask): Promise<JsonObject> {
    await opening;
    const id = wire.next();
    const cancel = (): void => {
      notify("notifications/cancelled", { requestId: id, reason: "The person cancelled it." }).catch(() => {});
    };
    signal?.addEventListener("abort", cancel);
    try {
      const _meta = { progressToken: id };
      let last: string | undefined;
      let failures = 0;
      let next = wire.post({ jsonrpc: "2.0", id, method, params: { ...params, _meta } }, headers(), signal);
      for (;;) {
        let answer: JsonObject | undefined;
        let problem: unknown = new Error("The stream ended before the answer came.");
        try {
          for await (const { message, event } of wire.read(await next)) {
            failures = 0;
            last = event ?? last;
            if (message["method"] === undefined && (message["id"] === id || message["error"] !== undefined)) {
              answer = message;
              break;
            }
            take(message, { ...(signal && { signal }), ...(tell && { tell }) });
          }
        } catch (error) {
          problem = error;
        }
        if (answer !== undefined) return resultOf(answer);
        if (session === undefined || last === undefined || signal?.aborted || ++failures > mostFailures) throw problem;
        await pause(retryAfter, signal);
        tell?.(`stream resumed after event ${last}`);
        next = stream(signal, last);
      }
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }

  /** Keeps the stream open that delivers messages which belong to no call. */
  async function listen(): Promise<void> {
    let last: string | undefined;
    while (!closing.signal.aborted) {
      try {
        for await (const { message, event } of wire.read(await stream(closing.signal, last))) {
          last = event ?? last;
          take(message, {});
        }
      } catch {
        // The error is ignored, since the stream is reopened.
      }
      await pause(retryAfter, closing.signal);
    }
  }

  async function open(): Promise<JsonObject> {
    const params = { protocolVersion: revision, capabilities: clientCapabilities, clientInfo };
    const message = { jsonrpc: "2.0", id: wire.next(), method: "initialize", params };
    const response = await wire.post(message, {});
    session = response.headers.get("mcp-session-id") ?? undefined;
    for await (const { message: answer } of wire.read(response)) {
      if (answer["method"] !== undefined || answer["jsonrpc"] === undefined) continue;
      const server = resultOf(answer);
      await notify("notifications/initialized");
      if (session !== undefined) void listen();
      return server;
    }
    throw new Error("The stream ended before the answer came.");
  }

  return {
    wire,
    open: () => (opening = open()),
    request,
    async subscribe(uri, listener) {
      await request({ method: "resources/subscribe", params: { uri } });
      updated.set(uri, listener);
      return () => {
        updated.delete(uri);
        request({ method: "resources/unsubscribe", params: { uri } }).catch(() => {});
      };
    },
    close() {
      closing.abort();
      if (session !== undefined) void client.send("/mcp", { method: "DELETE", headers: headers() }).catch(() => {});
    },
  };
}
