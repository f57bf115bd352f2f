import { ByteGatherer } from "../../../base/byte-gatherer.ts";
import { parseJsonBody } from "../../http/parse-json.ts";
import { checkJsonHeaders, tooLarge } from "../../http/read-body.ts";

/**
 * Reads the JSON of a web `Request` with the checks of the front door: media type, size counted while it streams,
 * encoding, depth.
 *
 * @throws ToolError
 */
export async function readWebJson(request: Request, limit: number): Promise<unknown> {
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
  return parseJsonBody(bytes.whole());
}
