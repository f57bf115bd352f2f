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
    const explainer = loadExplainer();
    return explainer instanceof Promise
      ? explainer.then(({ refuseDecoding }) => refuseDecoding(thrown, wire))
      : explainer.refuseDecoding(thrown, wire);
  }
}
