import { isRecord } from "../port/message-shape.ts";

/** Letters of each text that a client says of itself. */
const mostLetters = 128;
/** Letters of JSON of what it says of one capability. */
const mostOfCapability = 256;
/** Capabilities that a session uses. */
const used = ["elicitation", "sampling", "roots"];

/** The message with which a client begins a session, without what a session never uses: it is kept as long as that. */
export function slimInitialize(body: unknown): unknown {
  const params = isRecord(body) && isRecord(body["params"]) ? body["params"] : undefined;
  if (params === undefined || !isRecord(params["clientInfo"]) || !isRecord(params["capabilities"])) return body;
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

/** A copy, since a part of a text keeps the whole of it. */
function cut(text: unknown): unknown {
  return typeof text === "string" ? Buffer.from(text.slice(0, mostLetters)).toString() : text;
}

function slim(capability: unknown): unknown {
  const text = JSON.stringify(capability);
  if (text.length <= mostOfCapability) return JSON.parse(text);
  return isRecord(capability) ? {} : null;
}
