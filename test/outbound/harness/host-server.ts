import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { domainToASCII } from "node:url";

export interface HostServer {
  readonly port: number;
  readonly found: HostFindings;
  readonly stop: () => Promise<void>;
}

export interface HostFindings {
  requests: number;
  tokens: number;
  /** Tokens at hosts that are not local, and local hosts without one. */
  readonly leaked: string[];
  readonly missed: string[];
}

/**
 * Judges requests by the host that the client itself says it speaks to, with a reference classifier that shares nothing
 * with ours: it takes the name apart from its end.
 */
export async function startHostServer(): Promise<HostServer> {
  const found: HostFindings = { requests: 0, tokens: 0, leaked: [], missed: [] };
  const server = createServer(({ headers, url }, response) => {
    found.requests++;
    const token = headers.authorization?.startsWith("Bearer token-") === true;
    // A user name in the URL becomes Basic authorization, which is the author's own and stays.
    const own = headers.authorization?.startsWith("Basic ") === true;
    if (token) found.tokens++;
    const local = isLocal(headers.host ?? "");
    const text = `${headers["x-client"]} ${JSON.stringify(headers.host)} ${url}`;
    if (token && !local) found.leaked.push(text);
    if (!token && !own && local) found.missed.push(text);
    response.end("ok");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    found,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function isLocal(host: string): boolean {
  const name = host.replace(/:\d+$/, "");
  // `node:http` writes a host as it was given; what it looks up is the ASCII form.
  const labels = (/[^\0-\x7f]/.test(name) ? domainToASCII(name) : name.toLowerCase()).split(".");
  if (labels.at(-1) === "") labels.pop();
  if (labels.some((label) => label === "" || !/^[a-z\d_-]+$/.test(label))) return false;
  const last = labels.pop();
  if (last === "local" || last === "minikube") return labels.length > 0;
  return last === "net" && labels.pop() === "platform" && labels.length > 0;
}
