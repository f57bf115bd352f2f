import { unexpected, unknownTool } from "./call-error.ts";
import type { Send } from "./rest/http.ts";
import { readJson, requireType } from "./rest/read-answer.ts";
import { countRetries, type RetryOptions } from "./rest/retry.ts";
import { toolFacts, type Definition } from "./tool-facts.ts";
import { unlessAborted } from "./unless-aborted.ts";
import type { ToolFacts, Transport } from "./transport.ts";

type Tools = ReadonlyMap<string, ToolFacts>;

/**
 * Creates a function that finds tools by the definition of the service. The definition is loaded once, with the first
 * call, unless it is given. An unknown name loads it again, since the service may have a new tool.
 */
export function toolFinder(send: Send, retry: RetryOptions, given?: Definition): Transport["tool"] {
  let loading = given && Promise.resolve(toolsOf(given));

  function load(): Promise<Tools> {
    // All calls share the load, so the signal of one caller must not abort it.
    const tools = loadTools(send, retry);
    loading = tools;
    tools.catch(() => (loading = undefined));
    return tools;
  }

  return async (name, signal) => {
    const known = loading;
    let tools = await unlessAborted(known ?? load(), signal);
    if (!tools.has(name) && known) tools = await unlessAborted(load(), signal);
    const found = tools.get(name);
    if (found) return found;
    throw unknownTool("The service", name, tools.keys());
  };
}

async function loadTools(send: Send, retry: RetryOptions): Promise<Tools> {
  const path = "/service.json";
  const retries = countRetries(retry, send.base + path);
  for (;;) {
    try {
      const response = await send(path, {});
      await requireType(response);
      const definition = await readJson(response);
      try {
        return toolsOf(definition as Definition);
      } catch {
        throw unexpected(`${response.url} is not a service definition.`);
      }
    } catch (error) {
      await retries.again(error, undefined);
    }
  }
}

function toolsOf({ tools }: Definition): Tools {
  return new Map(tools.map((tool) => [tool.name, toolFacts(tool)]));
}
