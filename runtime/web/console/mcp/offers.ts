import { asRecord, recordsIn } from "../base/json.ts";
import { choicesOf, hasFields, resolve, type Schema } from "../schema/schema.ts";
import type { Host } from "./host.ts";
import { named, type Offer } from "./offer.ts";
import type { JsonObject } from "./wire.ts";

export type { Offer };

/** Lists of a service, with their methods and the capability that each needs. */
const lists = [
  ["tools", "tools/list", "tools"],
  ["prompts", "prompts/list", "prompts"],
  ["resources", "resources/list", "resources"],
  ["resources", "resources/templates/list", "resourceTemplates"],
] as const;

/** Maximum number of items that are requested of a list. */
const most = 5000;

/** Loads all tools, prompts and resources of a service, page by page. */
export async function loadOffers(host: Host, capabilities: JsonObject): Promise<readonly Offer[]> {
  const found: Offer[] = [];
  for (const [capability, method, key] of lists) {
    if (capabilities[capability] === undefined) continue;
    let cursor: unknown;
    do {
      const page = await host.request({ method, params: cursor === undefined ? {} : { cursor } });
      const items = recordsIn(page, key);
      if (items.length > 0)
        found.push(...items.map(key === "tools" ? toolOf : (await import("./text-offers.ts")).readers[key]));
      cursor = page["nextCursor"];
    } while (typeof cursor === "string" && found.length < most);
  }
  return found;
}

/** Reads a tool of a list. */
function toolOf(item: JsonObject): Offer {
  const whole = asRecord(item["inputSchema"]) as Schema;
  const at = resolve(whole, whole);
  const schema = hasFields(at) || choicesOf(at) !== undefined ? whole : undefined;
  return { ...named(item), kind: "Tools", schema, method: "tools/call" };
}
