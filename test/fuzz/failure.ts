import { isDeepStrictEqual } from "node:util";
import type { LoadedTool } from "../unit/emit/load-tool.ts";

/** A disagreement that nothing explains. */
export interface Failure {
  readonly name: string;
  readonly value: unknown;
  readonly what: string;
}

/** Why a legal value does not survive: what is decoded, encoded as a result and decoded again must be the same. */
export function decodeFailure(tool: LoadedTool, wire: { readonly value: unknown }): string | undefined {
  // As it came over the wire: `-0` does not come back as such.
  const decoded = tool.decodeRequest(JSON.parse(JSON.stringify(wire))) as { readonly value: unknown };
  const encoded = tool.encodeResult([decoded.value]) as readonly unknown[];
  const again = JSON.parse(JSON.stringify(encoded)) as readonly unknown[];
  if (!tool.isResult(again)) return `decoded and encoded as ${JSON.stringify(again)}, which is no legal result`;
  const second = tool.decodeRequest({ value: again[0] }) as { readonly value: unknown };
  return isDeepStrictEqual(second.value, decoded.value)
    ? undefined
    : `decodes differently after ${JSON.stringify(again)}`;
}
