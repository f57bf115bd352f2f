// Maps the methods of MCP and of its extensions to calls of `McpPort`, the interface between protocol engines and a
// service.
import type { StandardSchemaV1 } from "@modelcontextprotocol/server";
import type { JsonObject } from "../../../contract/contract.ts";
import type { Era } from "../port/capabilities.ts";
import { callTool } from "../port/call-tool.ts";
import { isObject } from "../../../contract/validation/json-value.ts";
import type { McpCallContext, McpPort } from "../port/port.ts";

/** Maximum number of values that MCP allows in the answer to a completion. */
const mostValues = 100;

/** Parameters of a request. For the protocol's own methods, the SDK has checked them. */
type Params = Readonly<Record<string, unknown>>;

/** Answers a request. */
export type Call = (params: Params, context: McpCallContext) => object | Promise<object | void>;

/**
 * A method: returns the function that answers it for a service; undefined if the service does not support the method.
 */
export type CallOf = (port: McpPort, era: Era) => Call | undefined;

/** Methods of the protocol. */
export const calls = {
  "tools/list":
    (port, era) =>
    ({ cursor }, { scopes, capabilities }) =>
      port.listTools(cursor as string | undefined, scopes, era === "modern" ? capabilities : undefined),
  "tools/call":
    (port) =>
    ({ name, arguments: args = {} }, context) =>
      callTool(port, name as string, args as JsonObject, context),
  "prompts/list": ({ prompts }) =>
    prompts && (({ cursor }, { scopes }) => prompts.list(cursor as string | undefined, scopes)),
  "prompts/get": ({ prompts }) =>
    prompts && (({ name, arguments: args = {} }, context) => prompts.get(name as string, args as JsonObject, context)),
  "resources/list": ({ resources }) =>
    resources && (({ cursor }, { scopes }) => resources.list(cursor as string | undefined, scopes)),
  "resources/templates/list": ({ resources }) =>
    resources && (({ cursor }, { scopes }) => resources.listTemplates(cursor as string | undefined, scopes)),
  "resources/read": ({ resources }) => resources && (({ uri }, context) => resources.read(uri as string, context)),
  "resources/subscribe": subscription,
  "resources/unsubscribe": subscription,
  "completion/complete": ({ prompts, resources }) =>
    prompts === undefined && resources === undefined
      ? undefined
      : ({ ref, argument }) => {
          const { type, name = "", uri = "" } = ref as Readonly<Record<"type" | "name" | "uri", string | undefined>>;
          const typed = argument as { readonly name: string; readonly value: string };
          const values =
            (type === "ref/prompt"
              ? prompts?.complete(name, typed.name, typed.value)
              : resources?.complete(uri, typed.name, typed.value)) ?? [];
          const total = values.length;
          return { completion: { values: values.slice(0, mostValues), total, hasMore: total > mostValues } };
        },
} as const satisfies Readonly<Record<string, CallOf>>;

/**
 * Returns the call for subscriptions. They are accepted, but never notified: a resource is computed when it is read, so
 * it has no change events.
 */
function subscription({ resources }: McpPort, era: Era): Call | undefined {
  if (resources === undefined || era === "modern") return undefined;
  return ({ uri }) => {
    resources.check(uri as string);
    return {};
  };
}

/** Methods of extensions, which belong to the newest revision, each with the text parameter that it requires. */
export const extensionCalls: Readonly<Record<string, { readonly text?: string; readonly call: CallOf }>> = {
  "tasks/get": {
    text: "taskId",
    call: ({ tasks }) => tasks && (({ taskId }, context) => tasks.get(taskId as string, context)),
  },
  "tasks/update": {
    text: "taskId",
    call: ({ tasks }) =>
      tasks && (({ taskId }, context) => tasks.update(taskId as string, context.inputResponses, context)),
  },
  "tasks/cancel": {
    text: "taskId",
    call: ({ tasks }) => tasks && (({ taskId }, context) => tasks.cancel(taskId as string, context)),
  },
  // The whole list is one page.
  "skills/list": {
    call: (port) => port.skills && (() => ({ ...cacheHint(port), skills: port.skills?.list() })),
  },
  "skills/get": {
    text: "uri",
    call: (port) => port.skills && (({ uri }) => ({ ...cacheHint(port), skill: port.skills?.get(uri as string) })),
  },
  "resources/directory/read": {
    text: "uri",
    call: (port) =>
      port.skills && (({ uri }) => ({ ...cacheHint(port), resources: port.skills?.directory(uri as string) })),
  },
};

/** Milliseconds for which a list may be cached, and the scope of the cache. */
export function cacheHint({ toolsTtl, listScope }: McpPort): { ttlMs: number; cacheScope: "public" | "private" } {
  return { ttlMs: toolsTtl, cacheScope: listScope };
}

/** A schema for parameters with one text, in the form that the SDK accepts for any validator. */
export function withText(key: string | undefined): StandardSchemaV1<object> {
  return {
    "~standard": {
      version: 1,
      vendor: "tenon",
      validate(value) {
        if (key === undefined) return { value: {} };
        return isObject(value) && typeof value[key] === "string"
          ? { value: { [key]: value[key] } }
          : { issues: [{ message: `\`${key}\` must be a string`, path: [key] }] };
      },
    },
  };
}
