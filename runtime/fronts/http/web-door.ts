import { ToolError } from "../../base/errors.ts";
import type { AccessRules } from "./access-rules.ts";
import type { Cors } from "./cors.ts";
import type { Admission, Gate } from "./gate.ts";

/** Origin and path of a request, as far as its host tells them. */
export interface WebEntrance {
  /** The path that the host has routed, without its own prefix. */
  readonly path: string;
  /** Address of the remote end. */
  readonly address: string | undefined;
  /** A probe, which often comes with an odd Host. */
  readonly isHealth?: boolean;
}

/**
 * The checks of the front door for hosts with `Request` and `Response`: Host and Origin, then the gate. Throws or
 * rejects with the `ToolError` that refuses the request.
 */
export function passWebDoor(
  request: Request,
  { path, address, isHealth = false }: WebEntrance,
  access: AccessRules,
  gate: Gate | undefined,
): Admission | Promise<Admission> {
  const { headers, method } = request;
  const host = headers.get("host") ?? new URL(request.url).host;
  const refused = access(host, headers.get("origin") ?? undefined, isHealth ? "health" : undefined);
  if (refused !== undefined) throw new ToolError("forbidden", refused);
  return gate?.({ method, path, authorization: headers.get("authorization") ?? undefined, address }) ?? {};
}

/** Answers a preflight of a listed origin, and tells a page of one that it may read what `answer` gives. */
export async function answerWithCors(
  { method, headers }: Request,
  opening: Promise<Cors | undefined>,
  answer: () => Promise<Response>,
): Promise<Response> {
  const cors = await opening;
  if (cors === undefined) return answer();
  const decision = cors({
    method,
    origin: headers.get("origin") ?? undefined,
    askedMethod: headers.get("access-control-request-method") ?? undefined,
    askedHeaders: headers.get("access-control-request-headers") ?? undefined,
  });
  const response = decision.isPreflight ? new Response(null, { status: 204 }) : await answer();
  const own = decision.headers;
  for (let at = 0; at + 1 < own.length; at += 2) response.headers.append(own[at] ?? "", own[at + 1] ?? "");
  return response;
}
