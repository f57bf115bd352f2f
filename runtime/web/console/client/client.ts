import { asRecord, asText, parseJson } from "../base/json.ts";
import { createStore, type Store } from "../base/store.ts";

/** A service's answer to a caller without a valid token. */
export interface Challenge {
  readonly message: string;
  /** Address of the document that names the authorisation server (RFC 9728), if the service names one. */
  readonly metadata: string | undefined;
}

/** The connection to the service or the platform of this page. */
export interface Client {
  /** Path prefix of all routes, without a slash at the end. */
  readonly base: string;
  /** Access token, which is stored only in memory. */
  readonly token: Store<string | undefined>;
  /** Set while the service refuses calls because of a missing or invalid token. */
  readonly challenge: Store<Challenge | undefined>;
  /** False while the service cannot be reached. */
  readonly online: Store<boolean>;
  /**
   * Counter of the times that the service became reachable again or the token was replaced. Views load again when it
   * changes.
   */
  readonly epoch: Store<number>;
  /** Sends a request with the token. Rejects if the service cannot be reached. */
  send(path: string, init?: RequestInit): Promise<Response>;
  /** Fetches the JSON of an answer. Rejects with the service's own message for any status but 2xx. */
  json(path: string, init?: RequestInit): Promise<unknown>;
}

/** Milliseconds between two attempts to reach the service again. */
const retryEvery = 1000;

/** Creates the connection. */
export function createClient(base: string): Client {
  const token = createStore<string | undefined>(undefined);
  const challenge = createStore<Challenge | undefined>(undefined);
  const online = createStore(true);
  const epoch = createStore(0);
  const renew = (): void => epoch.set(epoch.get() + 1);
  token.watch(() => {
    challenge.set(undefined);
    renew();
  });

  async function waitForReturn(): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, retryEvery));
      try {
        await fetch(`${base}/healthz`, { cache: "no-store" });
        break;
      } catch {
        // The service still cannot be reached.
      }
    }
    online.set(true);
    renew();
  }

  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    const held = token.get();
    if (held !== undefined) headers.set("authorization", `Bearer ${held}`);
    let response: Response;
    try {
      response = await fetch(base + path, { ...init, headers });
    } catch (error) {
      if (init.signal?.aborted === true) throw error;
      if (online.get()) {
        online.set(false);
        void waitForReturn();
      }
      throw new Error("The service cannot be reached.", { cause: error });
    }
    if (response.status === 401) challenge.set(await challengeOf(response.clone()));
    return response;
  }

  return {
    base,
    token,
    challenge,
    online,
    epoch,
    send,
    async json(path, init) {
      const response = await send(path, init);
      const text = await response.text();
      if (response.ok) return parseJson(text);
      throw new Error(messageOf(text) ?? `The service answered ${response.status}.`);
    },
  };
}

/** Finds the message in an error's body, in each form that services use. */
export function messageOf(text: string): string | undefined {
  const body = asRecord(parseJson(text));
  return asText(body["detail"]) ?? asText(body["message"]) ?? asText(body["error"]) ?? asText(body["title"]);
}

async function challengeOf(response: Response): Promise<Challenge> {
  const header = response.headers.get("www-authenticate") ?? "";
  const message = messageOf(await response.text()) ?? "This service needs an access token.";
  return { message, metadata: /resource_metadata="([^"]+)"/.exec(header)?.[1] };
}
