import { parseJsonBody } from "../../http/parse-json.ts";
import { readWebBody } from "../../http/read-web-body.ts";

/** Reads the JSON of a web `Request` with the checks of the front door. Throws a `ToolError`. */
export async function readWebJson(request: Request, limit: number): Promise<unknown> {
  return parseJsonBody(await readWebBody(request, limit));
}
