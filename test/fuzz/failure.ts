import { isDeepStrictEqual } from "node:util";
import type { LoadedTool } from "../unit/plugin/emit/load-tool.ts";

/** A disagreement that nothing explains. */
export interface Failure {
  readonly name: string;
  readonly value: unknown;
  readonly what: string;
}

/**
 * Why a legal value does not survive: what is decoded, encoded as a result and decoded again must be the same, and
 * where every key is a known one, none may be lost.
 */
export function decodeFailure(
  tool: LoadedTool,
  wire: { readonly value: unknown },
  isKnown: boolean,
): string | undefined {
  // V8 13.6 (Node 24) takes an escaped character at the end of a key for a backslash, where it has read such a key
  // before.
  if (/\\[bfnrt]":/.test(JSON.stringify(wire))) return undefined;
  // As it came over the wire: `-0` does not come back as such.
  const decoded = tool.decodeRequest(JSON.parse(JSON.stringify(wire))) as { readonly value: unknown };
  const encoded = tool.encodeResult([decoded.value]) as readonly unknown[];
  const again = JSON.parse(JSON.stringify(encoded)) as readonly unknown[];
  if (!tool.isResult(again)) return `decoded and encoded as ${JSON.stringify(again)}, which is no legal result`;
  const lost = isKnown ? lostKey(wire.value, again[0], "") : undefined;
  if (lost !== undefined) return `loses ${lost}: ${JSON.stringify(again[0])}`;
  const second = tool.decodeRequest({ value: again[0] }) as { readonly value: unknown };
  return isDeepStrictEqual(second.value, decoded.value)
    ? undefined
    : `decodes differently after ${JSON.stringify(again)}`;
}

/** A key of a wire value that another has not. */
function lostKey(from: unknown, to: unknown, path: string): string | undefined {
  if (typeof from !== "object" || from === null) return undefined;
  for (const key of Object.keys(from)) {
    const place = `${path}/${key}`;
    if (typeof to !== "object" || to === null || !Object.hasOwn(to, key)) return place;
    const lost = lostKey((from as Record<string, unknown>)[key], (to as Record<string, unknown>)[key], place);
    if (lost !== undefined) return lost;
  }
  return undefined;
}
