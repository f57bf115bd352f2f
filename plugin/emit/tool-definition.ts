import type {
  DebounceDefinition,
  JsonObject,
  LimitDefinition,
  McpDefinition,
  PriorityDefinition,
  RateDefinition,
  RequestDefinition,
  ResultDefinition,
  ToolAnnotations,
  ToolDefinition,
  ViewDefinition,
} from "../../runtime/contract/contract.ts";
import { alwaysLoadMeta } from "../../runtime/contract/definition/host-meta.ts";
import type { DebounceModel, LimitModel, PriorityModel, RateModel, ToolModel } from "../model/tool.ts";
import { fullSchema } from "./schema/json-schema.ts";
import { keptDefinition } from "./kept-codecs.ts";
import { portableInputSchema, portableOutputSchema, schemaMetaKey } from "./schema/portable-schema.ts";
import { rootType } from "./facts/type-facts.ts";

/** Makes the definition of a tool: the data that the generated call of `defineTool` contains. */
export function toolDefinition(model: ToolModel): ToolDefinition {
  const request = requestDefinition(model);
  const result = resultDefinition(model);
  return {
    ...offerDefinition(model),
    name: model.name,
    ...(model.title !== undefined && { title: model.title }),
    description: model.description,
    signature: model.signature,
    source: `${model.position.file}:${model.position.line}`,
    ...(model.path !== undefined && { path: model.path }),
    annotations: annotations(model),
    ...(model.scopes !== undefined && { scopes: model.scopes }),
    ...(request !== undefined && { request }),
    result,
    mcp: mcpDefinition(model, request, result),
    ...(model.icon !== undefined && { icon: model.icon }),
    ...(model.examples !== undefined && { examples: model.examples }),
    ...(model.retry !== undefined && { retry: model.retry }),
    ...(model.limit !== undefined && { limit: limitDefinition(model.limit) }),
    ...(model.rate !== undefined && { rate: rateDefinition(model.rate) }),
    ...(model.debounce !== undefined && { debounce: debounceDefinition(model.debounce) }),
    ...(model.priorities !== undefined && { priorities: model.priorities.map(priorityDefinition) }),
    ...(model.kept !== undefined && { durable: true, ...keptDefinition(model) }),
    ...(model.schedules !== undefined && { schedules: model.schedules }),
    ...(model.deprecated !== undefined && { deprecated: model.deprecated }),
    ...(model.category !== undefined && { category: model.category }),
    ...(model.timeout !== undefined && { timeout: model.timeout }),
    ...(model.thread === true && { thread: true }),
    ...(model.keep === true && { keep: true }),
    ...(model.view !== undefined && { view: viewDefinition(model) }),
    ...(model.options !== undefined && { options: model.options as JsonObject }),
  };
}

function limitDefinition({ jobs, per, beyond }: LimitModel): LimitDefinition {
  return { jobs, ...(per !== undefined && { per }), beyond };
}

function rateDefinition({ starts, each, per, burst, beyond }: RateModel): RateDefinition {
  return { starts, each, ...(per !== undefined && { per }), burst, beyond };
}

function debounceDefinition({ wait, most, per }: DebounceModel): DebounceDefinition {
  const times = { seconds: wait / 1000, ...(most !== undefined && { most: most / 1000 }) };
  return { ...times, ...(per !== undefined && { per }) };
}

function priorityDefinition({ headStart, when, is }: PriorityModel): PriorityDefinition {
  return { seconds: headStart / 1000, when, is };
}

function viewDefinition({ request, parameters }: ToolModel): ViewDefinition {
  if (request?.synthesised !== true) return {};
  return {
    parameters: parameters.flatMap((parameter) =>
      parameter.kind === "field" ? [`${parameter.rest === true ? "..." : ""}${parameter.key}`] : [],
    ),
  };
}

/** Additional fields of a prompt or a resource. */
function offerDefinition({ kind, uri, mimeType, audience, priority }: ToolModel): Partial<ToolDefinition> {
  if (kind === undefined) return {};
  const content = { ...(audience !== undefined && { audience }), ...(priority !== undefined && { priority }) };
  return {
    kind,
    ...(uri !== undefined && { uri }),
    ...(mimeType !== undefined && { mimeType }),
    ...(Object.keys(content).length > 0 && { content }),
  };
}

function annotations(model: ToolModel): ToolAnnotations {
  return {
    ...(model.readonly !== undefined && { readOnlyHint: model.readonly }),
    ...(model.destructive !== undefined && { destructiveHint: model.destructive }),
    ...(model.idempotent !== undefined && { idempotentHint: model.idempotent }),
    ...(model.openWorld !== undefined && { openWorldHint: model.openWorld }),
  };
}

function requestDefinition({ request, definitions }: ToolModel): RequestDefinition | undefined {
  if (request === undefined) return undefined;
  const type = rootType(request.type, request.urn, definitions);
  const urn = request.urn ?? (type.kind === "object" ? type.urn : undefined);
  return { ...(urn !== undefined && { urn }), schema: fullSchema(type, definitions, "input") };
}

function resultDefinition({ result, definitions }: ToolModel): ResultDefinition {
  if (result.type === undefined) return { kind: result.kind, ...(result.urn !== undefined && { urn: result.urn }) };
  const type = rootType(result.type, result.urn, definitions);
  const urn = result.urn ?? (type.kind === "object" ? type.urn : undefined);
  return { kind: result.kind, ...(urn !== undefined && { urn }), schema: fullSchema(type, definitions, "output") };
}

function mcpDefinition(
  model: ToolModel,
  request: RequestDefinition | undefined,
  result: ResultDefinition,
): McpDefinition {
  const inputSchema =
    model.inputSchema === undefined ? portableInputSchema(request?.schema) : (model.inputSchema as JsonObject);
  const meta: JsonObject = {
    ...(request?.urn !== undefined && { [schemaMetaKey]: request.urn }),
    ...(model.alwaysLoad === true && alwaysLoadMeta),
  };
  return {
    inputSchema,
    ...(result.schema !== undefined && portableOutputSchema(result.schema)),
    ...(model.task !== undefined && { task: model.task }),
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  };
}
