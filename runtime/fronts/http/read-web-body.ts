import { ByteGatherer } from "../../base/byte-gatherer.ts";
import { checkJsonHeaders, tooLarge } from "./read-body.ts";

/**
 * Reads the JSON text of a web `Request` with the checks of the front door: media type, encoding, size counted while it
 * streams.
 *
 * @throws ToolError
 */
export async function readWebBody(request: Request, limit: number): Promise<Buffer> {
  const { headers } = request;
  checkJsonHeaders(headers.get("content-type") ?? undefined, headers.get("content-encoding") ?? undefined);
  if (Number(headers.get("content-length") ?? 0) > limit) throw tooLarge(limit);
  const bytes = new ByteGatherer(Number(headers.get("content-length") ?? 0));
  let size = 0;
  if (request.body !== null) {
    for await (const chunk of request.body) {
      size += chunk.byteLength;
      if (size > limit) throw tooLarge(limit);
      bytes.add(chunk);
    }
  }
  return bytes.whole();
}
