import { ToolError } from "../../base/errors.ts";
import type { AccessRules } from "./access-rules.ts";
import type { Admission, Gate } from "./gate.ts";

/** How a request came in, as far as its host tells. */
export interface WebEntrance {
  /** The path that the host has routed, without its own prefix. */
  readonly path: string;
  /** Address of the other end of the connection. */
  readonly address: string | undefined;
  /** A probe, which often comes with an odd Host. */
  readonly isHealth?: boolean;
}

/**
 * The checks of the front door for hosts that speak `Request` and `Response`: Host and Origin, then the gate. Throws or
 * rejects with the `ToolError` that refuses the request.
 */
export function passWebDoor(
  request: Request,
  { path, address, isHealth = false }: WebEntrance,
  access: AccessRules,
  gate: Gate | undefined,
): Admission | Promise<Admission> {
  const { headers, method } = request;
  const refused = access(
    headers.get("host") ?? new URL(request.url).host,
    headers.get("origin") ?? undefined,
    isHealth,
  );
  if (refused !== undefined) throw new ToolError("forbidden", refused);
  return gate?.({ method, path, authorization: headers.get("authorization") ?? undefined, address }) ?? {};
}
