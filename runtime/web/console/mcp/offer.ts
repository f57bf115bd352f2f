import type { Schema } from "../schema/schema.ts";
import type { JsonObject } from "./wire.ts";

/** An entry of a list of the service: a tool, a prompt or a resource. */
export interface Listed {
  readonly kind: "Tools" | "Prompts" | "Resources";
  /** Name of the tool or prompt, or address of the resource. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Whole description from the service. */
  readonly whole: JsonObject;
}

/** A tool, a prompt or a resource, as a host can use it. */
export interface Offer extends Listed {
  /** Schema of the arguments; undefined if there are none. */
  readonly schema: Schema | undefined;
  readonly method: string;
  /** Makes the parameters of the request. */
  readonly params: (args: JsonObject) => JsonObject;
  /** Reference by which clients request completions for the arguments. */
  readonly ref?: JsonObject;
}
