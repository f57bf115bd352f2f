import { asText, recordsIn, textIn } from "../base/json.ts";
import type { Schema } from "../schema/schema.ts";
import { named, type Offer } from "./offer.ts";
import type { JsonObject } from "./wire.ts";

/** Readers of prompts and resources, whose arguments are texts, by the name of their list. */
export const readers: Readonly<Record<"prompts" | "resources" | "resourceTemplates", (item: JsonObject) => Offer>> = {
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
