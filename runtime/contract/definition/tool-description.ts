import type { JsonSchema, ToolAnnotations, ToolDefinition } from "../contract.ts";

/** The body of `GET P` and the output of `--print-tool-description`: a tool as agents of the platform see it. */
export interface ToolDescription {
  readonly $schema: "urn:platform:schema.tool.1";
  readonly id: string;
  readonly name: string;
  readonly "service-id": string;
  readonly description: string;
  readonly fn_signature: string;
  readonly fn_schema: JsonSchema;
  readonly result_schema?: JsonSchema;
  readonly annotations: ToolAnnotations;
}

export interface ToolDescriptionOptions {
  /** `ToolOptions.serviceId`; with a leading slash it is a path under the public address. */
  readonly serviceId?: string;
  /** `PLATFORM_SERVICE_ID`. */
  readonly platformServiceId?: string;
  /** Address of the service as its callers see it, without a trailing slash. */
  readonly publicUrl?: string;
}

/** A request schema for a tool that takes no data. */
const noRequest: JsonSchema = { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object" };

/** Describes a tool as agents of the platform see it, with a placeholder for an unknown service id. */
export function describeToolForPlatform(
  definition: ToolDefinition,
  options: ToolDescriptionOptions = {},
): ToolDescription {
  const { name, description, signature, request, result, annotations } = definition;
  return {
    $schema: "urn:platform:schema.tool.1",
    id: `urn:platform:tool.${name}`,
    name,
    "service-id": serviceId(options),
    description,
    fn_signature: signature,
    fn_schema: request?.schema ?? noRequest,
    ...(result.schema !== undefined && { result_schema: result.schema }),
    annotations,
  };
}

function serviceId({ serviceId, platformServiceId, publicUrl = "" }: ToolDescriptionOptions): string {
  if (serviceId === undefined) return platformServiceId ?? "#SERVICE_ID#";
  return serviceId.startsWith("/") ? publicUrl + serviceId : serviceId;
}
