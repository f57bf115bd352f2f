import type { JsonSchema } from "../../runtime/contract/contract.ts";
import type { ServiceDefinition, ServiceDefinitionTool } from "../../runtime/contract/service-definition.ts";
import { openSide } from "./schemas/side.ts";
import { openValues } from "./schemas/values.ts";

/** Compared facts of a tool. A description from a running service has fewer facts than a definition. */
export type ContractTool = Omit<ServiceDefinitionTool, "path"> & {
  /** Undefined where the source does not tell. */
  readonly path?: string | undefined;
};

/** A service definition as far as callers see it. */
export type Contract = Pick<ServiceDefinition, "name" | "version" | "prompts" | "resources"> & {
  readonly tools: readonly ContractTool[];
  /** Undefined where the source does not tell. */
  readonly "controller-schema"?: string | undefined;
  readonly policy?: string | undefined;
  readonly instructions?: string | undefined;
  /** The source tells no more of tools than names, texts, schemas and annotations. */
  readonly isBrief?: boolean;
};

/** Requests of a tool without parameters. */
export const noRequest: JsonSchema = { type: "object" };

/** A value that a schema accepts; an empty object when none is found. */
export function exampleOf(schema: JsonSchema | undefined): unknown {
  const side = openSide(schema ?? noRequest);
  return openValues(side)(side.root)[0] ?? {};
}
