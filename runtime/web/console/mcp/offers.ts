import { asRecord, recordsIn, textIn } from "../base/json.ts";
import { choicesOf, hasFields, resolve, type Schema } from "../schema/schema.ts";
import type { Host } from "./host.ts";
import type { Listed, Offer } from "./offer.ts";

/** Lists of a service, with what they list, their methods and the capability that each needs. */
const lists = [
  ["Tools", "tools", "tools/list", "tools", "name"],
  ["Prompts", "prompts", "prompts/list", "prompts", "name"],
  ["Resources", "resources", "resources/list", "resources", "uri"],
  ["Resources", "resources", "resources/templates/list", "resourceTemplates", "uriTemplate"],
] as const;

/** Maximum number of items that are requested of a list. */
const most = 5000;

/** Loads the lists of all tools, prompts and resources of a service, page by page. */
export async function loadOffers(
  host: Host,
  capabilities: Readonly<Record<string, unknown>>,
): Promise<readonly Listed[]> {
  const found: Listed[] = [];
  for (const [kind, capability, method, key, named] of lists) {
    if (capabilities[capability] === undefined) continue;
    let cursor: unknown;
    do {
      const page = await host.request({ method, params: cursor === undefined ? {} : { cursor } });
      for (const whole of recordsIn(page, key)) {
        const [name = "", title = "", description = ""] = [named, "title", "description"].map((one) =>
          textIn(whole, one),
        );
        found.push({ kind, name, title: title || (textIn(whole, "name") ?? ""), description, whole });
      }
      cursor = page["nextCursor"];
    } while (typeof cursor === "string" && found.length < most);
  }
  return found;
}

/** Reads a tool of a list. */
export function toolOf(listed: Listed): Offer {
  const { name } = listed;
  const whole = asRecord(listed.whole["inputSchema"]) as Schema;
  const at = resolve(whole, whole);
  const schema = hasFields(at) || choicesOf(at) !== undefined ? whole : undefined;
  return { ...listed, schema, method: "tools/call", params: (args) => ({ name, arguments: args }) };
}
