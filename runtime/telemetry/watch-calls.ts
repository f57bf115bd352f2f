import diagnostics from "node:diagnostics_channel";

/** An outbound request of a job, or a span of its author's code. */
export interface NotedCall {
  readonly kind: "request" | "span";
  /** Method and address, or the name of the span. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly from: number;
  /** Duration of the request in milliseconds; absent while it runs. */
  took?: number;
  /** HTTP status of the answer. */
  status?: number;
  /** Message of the error that ended the request. */
  error?: string;
  /** Id of a span. */
  readonly id?: string;
  /** Id of the span in which the call began, if telemetry is on. */
  readonly span?: string | undefined;
  /** Start event of the step in which the call began; undefined if unknown. */
  readonly start?: object | undefined;
}

/** The place of calling code in its job. */
export type CallPlace = Pick<NotedCall, "span" | "start">;

export interface CallWatch {
  /** Id of the job to which the calling code belongs. */
  readonly jobOf: () => string | undefined;
  /** The span and the step in which the calling code runs, as far as they are known. */
  readonly placeOf?: () => CallPlace;
  /** Records a request when it begins; its end is written into the same object. */
  readonly note: (job: string, call: NotedCall) => void;
  /** Called when a recorded request has been answered, has ended or has failed. */
  readonly changed?: (job: string, call: NotedCall) => void;
  /** Removes secrets from an address. */
  readonly clean: (text: string) => string;
}

/** Maximum characters of an address. */
const longestName = 300;

interface Message {
  readonly request: object;
  readonly response?: { readonly statusCode: number };
  readonly error?: unknown;
}

/**
 * Notes the outbound requests of the jobs of this thread, by the diagnostics channels of undici, which includes
 * `fetch`, and of `node:http`. Returns a function that stops watching.
 */
export function watchCalls({ jobOf, placeOf, note, changed, clean }: CallWatch): () => void {
  const calls = new WeakMap<object, { readonly job: string; readonly call: NotedCall; readonly began: number }>();
  const begin = (request: object, method: unknown, address: string): void => {
    const job = jobOf();
    if (job === undefined) return;
    const name = clean(`${String(method)} ${shownAddress(address)}`).slice(0, longestName);
    const call: NotedCall = { kind: "request", name, from: Date.now(), ...placeOf?.() };
    calls.set(request, { job, call, began: performance.now() });
    note(job, call);
  };
  const change = ({ request, response, error }: Message): void => {
    const known = calls.get(request);
    if (known === undefined) return;
    const { job, call, began } = known;
    call.took = performance.now() - began;
    if (response !== undefined) call.status = response.statusCode;
    if (error !== undefined) call.error = clean(error instanceof Error ? error.message : String(error));
    changed?.(job, call);
  };
  const listeners: Readonly<Record<string, (message: Message) => void>> = {
    "undici:request:create": ({ request }) => {
      const { origin, path, method } = request as Readonly<Record<string, unknown>>;
      begin(request, method, `${String(origin)}${String(path)}`);
    },
    "undici:request:headers": change,
    "undici:request:trailers": change,
    "undici:request:error": change,
    "http.client.request.created": ({ request }) => {
      const { method, path, protocol, host } = request as Readonly<Record<string, unknown>>;
      const named: unknown = (request as { getHeader(name: string): unknown }).getHeader("host") ?? host;
      begin(request, method, `${String(protocol)}//${String(named)}${String(path)}`);
    },
    "http.client.response.finish": change,
    "http.client.request.error": change,
  };
  const given = Object.entries(listeners).map(
    ([name, listener]) => [name, (message: unknown) => listener(message as Message)] as const,
  );
  for (const [name, listener] of given) diagnostics.subscribe(name, listener);
  return () => {
    for (const [name, listener] of given) diagnostics.unsubscribe(name, listener);
  };
}

/** Returns an address without the values of its query, which may be personal data or keys. */
function shownAddress(address: string): string {
  const url = URL.parse(address);
  if (url === null) return address.split("?", 1)[0] ?? "";
  const names = [...new Set(url.searchParams.keys())].map(encodeURIComponent);
  return `${url.origin}${url.pathname}${names.length === 0 ? "" : `?${names.map((name) => `${name}=…`).join("&")}`}`;
}
