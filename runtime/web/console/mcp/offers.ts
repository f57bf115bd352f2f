import { asRecord, asText, recordsIn, textIn } from "../base/json.ts";
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
    let cursor: unknown;
    do {
      const page = await host.request({ method, params: cursor === undefined ? {} : { cursor } });
      found.push(...recordsIn(page, key).map(readers[key]));
      cursor = page["nextCursor"];
    } while (typeof cursor === "string" && found.length < most);
  }
  return found;
}

const readers: Readonly<Record<(typeof lists)[number][2], (item: JsonObject) => Offer>> = {
  tools: (item) => {
    const whole = asRecord(item["inputSchema"]) as Schema;
    const at = resolve(whole, whole);
    const schema = hasFields(at) || choicesOf(at) !== undefined ? whole : undefined;
    return { ...named(item), kind: "Tools", schema, method: "tools/call" };
  },
  prompts: (item) => {
    const offer = named(item);
    const texts = recordsIn(item, "arguments");
    return {
      ...offer,
      kind: "Prompts",
      schema: texts.length === 0 ? undefined : textsSchema(texts.map((one) => ({ name: "", ...one }))),
      method: "prompts/get",
      ref: { type: "ref/prompt", name: offer.name },
    };
  },
  resources: (item) => ({ ...resource(item, textIn(item, "uri") ?? ""), schema: undefined }),
  resourceTemplates: (item) => {
    const uri = textIn(item, "uriTemplate") ?? "";
    return {
      ...resource(item, uri),
      schema: textsSchema(variablesOf(uri).map((name) => ({ name, required: true }))),
      ref: { type: "ref/resource", uri },
    };
  },
};

function named(item: JsonObject): Pick<Offer, "name" | "title" | "description" | "params" | "whole"> {
  const name = textIn(item, "name") ?? "";
  return {
    name,
    title: textIn(item, "title") ?? name,
    description: textIn(item, "description") ?? "",
    params: (args) => ({ name, arguments: args }),
    whole: item,
  };
}

function resource(item: JsonObject, uri: string): Omit<Offer, "schema"> {
  const params: Offer["params"] = (args) => ({ uri: expand(uri, args) });
  return { ...named(item), name: uri, kind: "Resources", method: "resources/read", params };
}

/** Makes a schema for arguments that are texts. */
function textsSchema(args: readonly JsonObject[]): Schema {
  const named = args.map((arg) => [String(arg["name"]), arg] as const);
  return {
    type: "object",
    properties: Object.fromEntries(
      named.map(([name, arg]) => [
        name,
        { type: "string", maxLength: 100, description: asText(arg["description"]) ?? "" },
      ]),
    ),
    required: named.filter(([, arg]) => arg["required"] === true).map(([name]) => name),
  };
}

const expression = /\{([+?&#/.;]?)([^}]*)\}/g;

function variablesOf(template: string): readonly string[] {
  return [...template.matchAll(expression)].flatMap(([, , names = ""]) =>
    names.split(",").map((name) => name.replace(/\*$/, "")),
  );
}

/** Fills in the variables of a URI template (RFC 6570, as far as addresses of resources need it). */
function expand(template: string, args: JsonObject): string {
  return template.replaceAll(expression, (_, operator: string, names: string) => {
    const encode = operator === "+" || operator === "#" ? encodeURI : encodeURIComponent;
    const isQuery = operator === "?" || operator === "&";
    const parts = names.split(",").flatMap((name) => {
      const value = asText(args[name.replace(/\*$/, "")]);
      return value === undefined ? [] : [isQuery ? `${name}=${encode(value)}` : encode(value)];
    });
    if (parts.length === 0) return "";
    return (operator === "+" ? "" : operator) + parts.join(isQuery ? "&" : /[/.;]/.test(operator) ? operator : ",");
  });
}
