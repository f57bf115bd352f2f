/** A request to make. */
export interface OutsideCall {
  /**
   * Way of the call.
   * @default "GET"
   */
  method?: "GET" | "POST";
  /** The address. A host of the platform gets the job's token, any other one does not. */
  url: URL;
  /** Sent as JSON with `POST`. */
  data?: Record<string, string>;
}

/** The answer. */
export interface OutsideAnswer {
  /** HTTP status. @type uint32 */
  status: number;
  /** Media type of the body. */
  contentType: string | null;
  /** The beginning of the body, up to 1000 characters. */
  body: string;
}

/** Makes a request as any tool would. */
export async function callOutside(call: OutsideCall, signal: AbortSignal): Promise<OutsideAnswer> {
  const { method = "GET", url, data } = call;
  const response = await fetch(url, {
    method,
    signal,
    ...(method === "POST" && { body: JSON.stringify(data ?? {}), headers: { "content-type": "application/json" } }),
  });
  const body = (await response.text()).slice(0, 1000);
  return { status: response.status, contentType: response.headers.get("content-type"), body };
}
