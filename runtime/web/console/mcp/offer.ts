import { textIn } from "../base/json.ts";
import type { Schema } from "../schema/schema.ts";
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

/** Reads what each kind of offer has. */
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
