import { EqualItemsError } from "../../contract/validation/codecs/decode-distinct.ts";
import type { Tool } from "../../service/tools/tool.ts";
import { loadExplainer } from "./load-explainer.ts";

/**
 * Decodes and validates the request for the author's function. Throws `validation` with all problems. Returns a promise
 * when the code that explains problems must be loaded first.
 */
export function decodeRequest(tool: Tool, input: unknown): unknown {
  const { definition, functions, options } = tool;
  if (definition.request === undefined) return undefined;
  if (options.coerce !== true && options.strict !== true && functions.isRequest?.(input) !== false) {
    return decode(tool, input);
  }
  const explainer = loadExplainer();
  return explainer instanceof Promise
    ? explainer.then(({ checkRequest }) => decode(tool, checkRequest(tool, input)))
    : decode(tool, explainer.checkRequest(tool, input));
}

function decode({ functions }: Tool, wire: unknown): unknown {
  if (functions.decodeRequest === undefined) return wire;
  try {
    return functions.decodeRequest(wire as never);
  } catch (thrown) {
    if (!(thrown instanceof EqualItemsError)) throw thrown;
    const explainer = loadExplainer();
    if (explainer instanceof Promise) return explainer.then(({ refuseEqual }) => refuseEqual(thrown, wire));
    return explainer.refuseEqual(thrown, wire);
  }
}
