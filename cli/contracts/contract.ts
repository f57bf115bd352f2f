import type { JsonSchema } from "../../runtime/contract/contract.ts";
import type { ServiceDefinition, ServiceDefinitionTool } from "../../runtime/contract/service-definition.ts";
import { openSide } from "./schemas/side.ts";
import { openValues } from "./schemas/values.ts";

/** Properties of a tool that are compared. A description from a running service has fewer of them than a definition. */
export type ContractTool = Omit<ServiceDefinitionTool, "path"> & {
  /** Path of the tool; undefined if the contract's source does not contain it. */
  readonly path?: string | undefined;
};

/** The parts of a service definition that callers see. */
export type Contract = Pick<ServiceDefinition, "name" | "version" | "prompts" | "resources"> & {
  readonly tools: readonly ContractTool[];
  /** Schema of the controller; undefined if the contract's source does not contain it. */
  readonly "controller-schema"?: string | undefined;
  readonly policy?: string | undefined;
  readonly instructions?: string | undefined;
  /** True if the source has only names, texts, schemas and annotations of tools. */
  readonly isBrief?: boolean;
};

/** Request schema of a tool without parameters. */
export const noRequest: JsonSchema = { type: "object" };

/** A value that a schema accepts; an empty object when none is found. */
export function exampleOf(schema: JsonSchema | undefined): unknown {
  const side = openSide(schema ?? noRequest);
  return openValues(side)(side.root)[0] ?? {};
}
