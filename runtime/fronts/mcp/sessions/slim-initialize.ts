import { isObject } from "../../../contract/validation/json-value.ts";

/** Maximum characters of each text in a client's description of itself. */
const mostLetters = 128;
/** Maximum characters of the JSON of one capability. */
const mostOfCapability = 256;
/** Capabilities that a session uses. */
const used = ["elicitation", "sampling", "roots"];

/**
 * Removes the parts of an `initialize` message that a session never uses, since the message is stored as long as the
 * session.
 */
export function slimInitialize(body: unknown): unknown {
  const params = isObject(body) && isObject(body["params"]) ? body["params"] : undefined;
  if (params === undefined || !isObject(params["clientInfo"]) || !isObject(params["capabilities"])) return body;
  const { protocolVersion, capabilities, clientInfo } = params;
  const [name, version] = [cut(clientInfo["name"]), cut(clientInfo["version"])];
  const kept = used.filter((one) => one in capabilities).map((one) => [one, slim(capabilities[one])] as const);
  return {
    ...(body as object),
    params: {
      protocolVersion: cut(protocolVersion),
      capabilities: Object.fromEntries(kept),
      clientInfo: { name, version },
    },
  };
}

/** Copies a part of a text: V8 would keep the whole text in memory for a plain slice. */
function cut(text: unknown): unknown {
  return typeof text === "string" ? Buffer.from(text.slice(0, mostLetters)).toString() : text;
}

function slim(capability: unknown): unknown {
  const text = JSON.stringify(capability);
  if (text.length <= mostOfCapability) return JSON.parse(text);
  return isObject(capability) ? {} : null;
}
