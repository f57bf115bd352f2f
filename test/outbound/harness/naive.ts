import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";
import type { OutboundJob } from "../../../runtime/outside/outbound/rules/job-headers.ts";

/**
 * The control: what seems to be enough. The channels tell of each request as it is made, and the job is read from the
 * async context. It is right as long as connections are not shared, which is why it must stay red in the harness. Returns its end.
 */
export function installNaive(job: () => OutboundJob | undefined): () => void {
  const headers = (hostname: string): [string, string][] => {
    const current = job();
    if (current === undefined) return [];
    const token: [string, string][] = hostname.endsWith(".local")
      ? [["authorization", current.authorization ?? ""]]
      : [];
    return [["platform-job-id", current.id], ["traceparent", current.traceparent ?? ""], ...token];
  };
  const onUndici = (message: unknown): void => {
    const { request } = message as { request: { origin: string; addHeader: (name: string, value: string) => void } };
    for (const [name, value] of headers(new URL(request.origin).hostname)) request.addHeader(name, value);
  };
  const onHttp = (message: unknown): void => {
    const { request } = message as { request: ClientRequest };
    if (request.headersSent || request.writableEnded) return;
    try {
      for (const [name, value] of headers(request.host)) request.setHeader(name, value);
    } catch {
      // Headers given as an array are written at once.
    }
  };
  subscribe("undici:request:create", onUndici);
  subscribe("http.client.request.created", onHttp);
  return () => {
    unsubscribe("undici:request:create", onUndici);
    unsubscribe("http.client.request.created", onHttp);
  };
}
