import { asRecord, recordsIn, textIn } from "../base/json.ts";
import { choicesOf, hasFields, resolve, type Schema } from "../schema/schema.ts";
import type { Host } from "./host.ts";
import type { JsonObject } from "./wire.ts";

/** A tool, a prompt or a resource, as a host can use it. */
export interface Offer {
  readonly kind: "Tools" | "Prompts" | "Resources";
  /** Name of the tool or prompt, or address of the resource. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Schema of the arguments; undefined if there are none. */
  readonly schema: Schema | undefined;
  readonly method: string;
  /** Makes the parameters of the request. */
  readonly params: (args: JsonObject) => JsonObject;
  /** Reference by which clients request completions for the arguments. */
  readonly ref?: JsonObject;
  /** Whole description from the service. */
  readonly whole: JsonObject;
}

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
    const read = key === "tools" ? toolOf : (await import("./text-offers.ts")).readers[key];
    let cursor: unknown;
    do {
      const page = await host.request({ method, params: cursor === undefined ? {} : { cursor } });
      found.push(...recordsIn(page, key).map(read));
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

/** The parts of an offer that tools, prompts and resources have in common. */
export function named(item: JsonObject): Pick<Offer, "name" | "title" | "description" | "params" | "whole"> {
  const name = textIn(item, "name") ?? "";
  return {
    name,
    title: textIn(item, "title") ?? name,
    description: textIn(item, "description") ?? "",
    params: (args) => ({ name, arguments: args }),
    whole: item,
  };
}
