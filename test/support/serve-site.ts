import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";

/** The built site behind an address. */
export interface ServedSite {
  /** For example `http://127.0.0.1:40123`. */
  readonly url: string;
  /** Bytes of bodies that were sent so far. */
  sent(): number;
  close(): void;
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};

/**
 * Serves the files of a folder on a free port of this machine.
 *
 * @param isCompressed Compresses bodies with gzip, each once, as hosts of static files do
 */
export async function serveSite(folder: string, { isCompressed = false } = {}): Promise<ServedSite> {
  const compressed = new Map<string, Buffer>();
  let sent = 0;
  const read = (path: string): Buffer => {
    if (!isCompressed) return readFileSync(join(folder, path));
    const body = compressed.get(path) ?? gzipSync(readFileSync(join(folder, path)), { level: 9 });
    compressed.set(path, body);
    return body;
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://site");
    const file = decodeURIComponent(pathname.endsWith("/") ? `${pathname}index.html` : pathname);
    try {
      const body = read(file);
      sent += body.length;
      response.setHeader("content-type", types[extname(file)] ?? "application/octet-stream");
      if (isCompressed) response.setHeader("content-encoding", "gzip");
      response.writeHead(200).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: () => sent,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
