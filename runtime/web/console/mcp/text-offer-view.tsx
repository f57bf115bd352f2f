import type { VNode } from "preact";
import { asText, recordsIn, textIn } from "../base/json.ts";
import type { Schema } from "../schema/schema.ts";
import type { Listed, Offer } from "./offer.ts";
import { OfferView, type OfferViewProps } from "./offer-view.tsx";
import type { JsonObject } from "./wire.ts";

/** Shows a prompt or a resource, whose arguments are texts. */
export function TextOfferView({ offer, ...props }: OfferViewProps<Listed>): VNode {
  return <OfferView {...props} offer={offer.kind === "Prompts" ? promptOf(offer) : resourceOf(offer)} />;
}

function promptOf(listed: Listed): Offer {
  const { name } = listed;
  const texts = recordsIn(listed.whole, "arguments");
  return {
    ...listed,
    schema: texts.length === 0 ? undefined : textsSchema(texts.map((one) => ({ name: "", ...one }))),
    method: "prompts/get",
    params: (args) => ({ name, arguments: args }),
    ref: { type: "ref/prompt", name },
  };
}

function resourceOf(listed: Listed): Offer {
  const { name } = listed;
  const isTemplate = textIn(listed.whole, "uriTemplate") !== undefined;
  return {
    ...listed,
    schema: isTemplate ? textsSchema(variablesOf(name).map((one) => ({ name: one, required: true }))) : undefined,
    method: "resources/read",
    params: (args) => ({ uri: expand(name, args) }),
    ...(isTemplate && { ref: { type: "ref/resource", uri: name } }),
  };
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
