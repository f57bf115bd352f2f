import type {
  JsonSchema,
  DebounceDefinition,
  LimitDefinition,
  PriorityDefinition,
  RateDefinition,
  ResultKind,
  ScheduleDefinition,
  ToolAnnotations,
  ToolExample,
} from "./contract.ts";

/** CPU, memory and disk in Kubernetes' quantity notation, for example `500m` and `1Gi`. */
export interface ResourceQuantities {
  readonly cpu: string;
  readonly memory: string;
  readonly "ephemeral-storage"?: string;
}

export interface ServiceDefinitionStep {
  readonly name: string;
  /** True if the name is used with keys, each of which has its own result. */
  readonly keyed?: true;
  readonly "at-most-once"?: true;
  /** Digest of the result's type; `none` for a step without a result. */
  readonly fingerprint: string;
  readonly "result-schema"?: JsonSchema;
}

export interface ServiceDefinitionWait {
  readonly name: string;
  readonly keyed?: true;
  /** Scope that a sender needs, if callers are authenticated. */
  readonly scope?: string;
  readonly "message-schema"?: JsonSchema;
}

export interface ServiceDefinitionTool {
  readonly name: string;
  readonly path: string;
  readonly title?: string;
  readonly description: string;
  readonly "request-schema"?: JsonSchema;
  readonly "result-schema"?: JsonSchema;
  /** Form of the result; left out for `json`. */
  readonly "result-kind"?: Exclude<ResultKind, "json">;
  readonly annotations: ToolAnnotations;
  /** Scopes that a caller needs, if callers are authenticated. */
  readonly scopes?: readonly string[];
  /** `@task`: whether an MCP call runs as a task. */
  readonly task?: "required" | "optional" | "never";
  /**
   * `@retry`: attempts of a failed job or step; seconds before the first retry (`from`), and maximum seconds before any
   * retry (`to`).
   */
  readonly retry?: { readonly attempts: number; readonly from: number; readonly to: number };
  /** `@limit`: maximum number of concurrent jobs, over all processes that share a store. */
  readonly limit?: LimitDefinition;
  /** `@rate`: maximum number of starts within a time, over all processes that share a store. */
  readonly rate?: RateDefinition;
  /** `@debounce`: runs only the last of several requests that follow one another. */
  readonly debounce?: DebounceDefinition;
  /**
   * `@priority`: jobs that are placed in the queue as if they had arrived earlier; of several that apply, the largest
   * counts.
   */
  readonly priorities?: readonly PriorityDefinition[];
  /** True if jobs are resumed after a crash, and continue after their stored steps. */
  readonly durable?: true;
  /** Steps whose results are stored. */
  readonly steps?: readonly ServiceDefinitionStep[];
  /** Messages that its jobs wait for. */
  readonly waits?: readonly ServiceDefinitionWait[];
  /** Times at which the service itself starts jobs of the tool; `jitter` in seconds. */
  readonly schedules?: readonly ScheduleDefinition[];
  /** Maximum seconds that a job may take. */
  readonly timeout?: number;
  /** True if requests with unknown keys are refused. */
  readonly strict?: true;
  readonly deprecated?: true | string;
  /** Name of the group in which people see the tool. */
  readonly category?: string;
  readonly examples?: readonly ToolExample[];
}

/** A prompt or a resource in the service definition. */
export interface ServiceDefinitionOffer {
  readonly name: string;
  /** Address of a resource, or the template of its addresses. */
  readonly uri?: string;
  readonly title?: string;
  readonly description: string;
  /** Schema of the arguments of a prompt, or of the variables in an address. */
  readonly "request-schema"?: JsonSchema;
  readonly "mime-type"?: string;
  readonly scopes?: readonly string[];
}

export type ControllerSchema = "urn:platform:schema.service.rest.1" | "urn:platform:schema.service.batch.1";

/** The committed `service.json`; `--print-service-description` prints the same form. */
export interface ServiceDefinition {
  readonly $schema: "urn:platform:schema.service.2";
  readonly $id: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /**
   * Text for models about the whole service, written or generated; absent for a batch service, which MCP does not
   * reach.
   */
  readonly instructions?: string;
  readonly parameters: readonly [];
  readonly contact?: { readonly name: string; readonly email: string; readonly url?: string };
  readonly license?: { readonly name: string; readonly url?: string };
  readonly policy: string;
  readonly "request-schema"?: JsonSchema;
  readonly "result-schema"?: JsonSchema;
  readonly tools: readonly ServiceDefinitionTool[];
  /** Absent if there are no prompts, as `resources` is absent if there are no resources. Only MCP serves these. */
  readonly prompts?: readonly ServiceDefinitionOffer[];
  readonly resources?: readonly ServiceDefinitionOffer[];
  readonly "controller-schema": ControllerSchema;
  readonly controller: {
    readonly $schema: ControllerSchema;
    readonly image: string;
    readonly command: readonly string[];
    readonly resources: { readonly limits: ResourceQuantities; readonly requests: ResourceQuantities };
    readonly path?: string;
    readonly port?: number;
  };
}
