import type {
  RetryDefinition,
  ScheduleDefinition,
  StepDefinition,
  ToolDefinition,
  WaitDefinition,
} from "../contract.ts";
import type {
  ControllerSchema,
  ServiceDefinition,
  ServiceDefinitionOffer,
  ServiceDefinitionStep,
  ServiceDefinitionTool,
  ServiceDefinitionWait,
} from "../service-definition.ts";
import { categoryOf, instructionsOf } from "./instructions.ts";
import { defaultResources, type Resources } from "./resources.ts";
import { toolPath } from "./tool-path.ts";

/** Texts that the author gives about the service. */
export interface ServiceTexts {
  readonly name: string;
  readonly version?: string;
  readonly description?: string;
  readonly instructions?: string;
  readonly contact?: { readonly name: string; readonly email: string; readonly url?: string };
  readonly license?: { readonly name: string; readonly url?: string };
}

/** Settings of the deployment. The committed file has none of them. */
export interface Deployment {
  /** `PLATFORM_SERVICE_ID`. */
  readonly serviceId?: string;
  /** `PLATFORM_SERVICE_NAME`. */
  readonly serviceName?: string;
  /** `PLATFORM_POLICY_URN`. */
  readonly policy?: string;
  /** `DOCKER_IMG`. */
  readonly image?: string;
  /** From `ENTRYPOINT` or the Dockerfile. */
  readonly command?: readonly string[];
  /** From the resources file. */
  readonly resources?: Resources;
  /** Port of a REST service; default 8090. */
  readonly port?: number;
}

export interface ServiceDescriptionInput {
  readonly service: ServiceTexts;
  /**
   * Definitions of the tools in any order: bundlers load modules in different orders, and the result does not depend on
   * the order.
   */
  readonly tools: readonly ToolDefinition[];
  /** Prompts and resources, in any order. */
  readonly offers?: readonly ToolDefinition[];
  readonly flavour: "lambda" | "batch";
  readonly deployment?: Deployment;
}

const defaultPolicy = "urn:platform:policy:platform.open.service";
const defaultPort = 8090;

/** Makes the service definition: the committed `service.json`, also printed by `--print-service-description`. */
export function describeService({
  service,
  tools,
  offers = [],
  flavour,
  deployment = {},
}: ServiceDescriptionInput): ServiceDefinition {
  const schema: ControllerSchema =
    flavour === "lambda" ? "urn:platform:schema.service.rest.1" : "urn:platform:schema.service.batch.1";
  const described = tools.toSorted(byName).map((tool) => describeTool(tool, tools.length));
  const only = described.length === 1 ? described[0] : undefined;
  const path = commonPath(described.map((tool) => tool.path));
  return {
    $schema: "urn:platform:schema.service.2",
    $id: deployment.serviceId ?? "#SERVICE_ID#",
    name: deployment.serviceName ?? service.name,
    version: service.version ?? "0.0.0",
    description: service.description ?? only?.description ?? "",
    // A batch service has no instructions, since MCP does not serve it.
    ...(flavour === "lambda" && { instructions: instructionsOf(service, tools) }),
    parameters: [],
    ...(service.contact !== undefined && { contact: person(service.contact) }),
    ...(service.license !== undefined && { license: licence(service.license) }),
    policy: deployment.policy ?? defaultPolicy,
    ...(only?.["request-schema"] !== undefined && { "request-schema": only["request-schema"] }),
    ...(only?.["result-schema"] !== undefined && { "result-schema": only["result-schema"] }),
    tools: described,
    ...offersOf("prompt", offers),
    ...offersOf("resource", offers),
    "controller-schema": schema,
    controller: {
      $schema: schema,
      image: deployment.image ?? "#DOCKER_IMG#",
      command: deployment.command ?? ["#ENTRYPOINT#"],
      resources: deployment.resources ?? defaultResources,
      ...(flavour === "lambda" && { ...(path !== undefined && { path }), port: deployment.port ?? defaultPort }),
    },
  };
}

function byName(a: ToolDefinition, b: ToolDefinition): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

function describeTool(tool: ToolDefinition, toolCount: number): ServiceDefinitionTool {
  const category = categoryOf(tool);
  return {
    name: tool.name,
    path: toolPath(tool, toolCount),
    ...(tool.title !== undefined && { title: tool.title }),
    description: tool.description,
    ...(tool.request !== undefined && { "request-schema": tool.request.schema }),
    ...(tool.result.schema !== undefined && { "result-schema": tool.result.schema }),
    ...(tool.result.kind !== "json" && { "result-kind": tool.result.kind }),
    annotations: tool.annotations,
    ...(tool.scopes !== undefined && { scopes: tool.scopes }),
    ...(tool.mcp.task !== undefined && { task: tool.mcp.task }),
    ...(tool.retry !== undefined && { retry: inSeconds(tool.retry) }),
    ...(tool.limit !== undefined && { limit: tool.limit }),
    ...(tool.rate !== undefined && { rate: tool.rate }),
    ...(tool.debounce !== undefined && { debounce: tool.debounce }),
    ...(tool.priorities !== undefined && { priorities: tool.priorities }),
    ...(tool.durable === true && { durable: true }),
    ...(tool.steps !== undefined && { steps: tool.steps.map(describeStep) }),
    ...(tool.waits !== undefined && { waits: tool.waits.map(describeWait) }),
    ...(tool.schedules !== undefined && { schedules: tool.schedules.map(describeSchedule) }),
    ...(tool.timeout !== undefined && { timeout: tool.timeout / 1000 }),
    ...(tool.options?.["strict"] === true && { strict: true }),
    ...(tool.deprecated !== undefined && { deprecated: tool.deprecated }),
    ...(category !== undefined && { category }),
    ...(tool.examples !== undefined && { examples: tool.examples }),
  };
}

function inSeconds({ attempts, from, to }: RetryDefinition): RetryDefinition {
  return { attempts, from: from / 1000, to: to / 1000 };
}

function describeStep({ name, keyed, atMostOnce, fingerprint, schema }: StepDefinition): ServiceDefinitionStep {
  return {
    name,
    ...(keyed === true && { keyed }),
    ...(atMostOnce === true && { "at-most-once": true }),
    fingerprint,
    ...(schema !== undefined && { "result-schema": schema }),
  };
}

function describeWait({ name, keyed, scope, schema }: WaitDefinition): ServiceDefinitionWait {
  return {
    name,
    ...(keyed === true && { keyed }),
    ...(scope !== undefined && { scope }),
    ...(schema !== undefined && { "message-schema": schema }),
  };
}

function describeSchedule({ jitter, ...schedule }: ScheduleDefinition): ScheduleDefinition {
  return { ...schedule, ...(jitter !== undefined && { jitter: jitter / 1000 }) };
}

function offersOf(
  kind: "prompt" | "resource",
  offers: readonly ToolDefinition[],
): Pick<ServiceDefinition, "prompts" | "resources"> {
  const described = offers
    .filter((offer) => offer.kind === kind)
    .toSorted(byName)
    .map(describeOffer);
  return described.length === 0 ? {} : { [`${kind}s`]: described };
}

function describeOffer({
  name,
  uri,
  title,
  description,
  request,
  mimeType,
  scopes,
}: ToolDefinition): ServiceDefinitionOffer {
  return {
    name,
    ...(uri !== undefined && { uri }),
    ...(title !== undefined && { title }),
    description,
    ...(request !== undefined && { "request-schema": request.schema }),
    ...(mimeType !== undefined && { "mime-type": mimeType }),
    ...(scopes !== undefined && { scopes }),
  };
}

function person({ name, email, url }: NonNullable<ServiceTexts["contact"]>): NonNullable<ServiceDefinition["contact"]> {
  return { name, email, ...(url !== undefined && { url }) };
}

function licence({ name, url }: NonNullable<ServiceTexts["license"]>): NonNullable<ServiceDefinition["license"]> {
  return { name, ...(url !== undefined && { url }) };
}

/** Returns the longest path prefix of whole segments that all tools share; `undefined` when there is none. */
function commonPath(paths: readonly string[]): string | undefined {
  const [first, ...others] = paths.map((path) => path.split("/"));
  if (first === undefined) return undefined;
  let length = first.length;
  for (const other of others) {
    let same = 0;
    while (same < Math.min(length, other.length) && first[same] === other[same]) same++;
    length = same;
  }
  const path = first.slice(0, length).join("/");
  return path === "" ? undefined : path;
}
