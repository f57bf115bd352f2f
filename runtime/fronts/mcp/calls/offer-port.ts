import type { JsonObject, JsonSchema, PromptMessage } from "../../../contract/contract.ts";
import { matchUri, parseUriTemplate } from "../../../contract/definition/uri-template.ts";
import { ToolError } from "../../../base/errors.ts";
import type { JobResult } from "../../../job/job.ts";
import { MissingCapabilityError } from "../../../job/question.ts";
import type { Tool } from "../../../service/tools/tool.ts";
import { binaryContent } from "../results/binary-content.ts";
import type { CallRunner } from "./call-runner.ts";
import { describePrompt, describeResource } from "../lists/describe-offer.ts";
import { faultCodes, McpFault } from "../port/fault.ts";
import { pageList } from "../port/page-list.ts";
import type { McpInputRequired, McpResourceResult } from "../port/answers.ts";
import type { McpResourceDescriptor } from "../port/descriptors.ts";
import type { McpCallContext, McpPort, McpPrompts, McpResources } from "../port/port.ts";
import { renderError } from "../results/render-error.ts";
import { listed, visibleTo } from "../lists/visible-to.ts";

/** The prompts and resources of a service as parts of the port; a service without any has no such part. */
export function offerPort(
  offers: readonly Tool[],
  runner: CallRunner,
  pageSize: number | undefined,
): Pick<McpPort, "prompts" | "resources"> {
  const prompts = offers.filter(({ definition }) => definition.kind === "prompt");
  const resources = offers.filter(({ definition }) => definition.kind === "resource");
  return {
    ...(prompts.length > 0 && { prompts: promptPort(prompts, runner, pageSize) }),
    ...(resources.length > 0 && { resources: resourcePort(resources, runner, pageSize) }),
  };
}

function promptPort(prompts: readonly Tool[], runner: CallRunner, pageSize: number | undefined): McpPrompts {
  const byName = new Map(prompts.map((prompt) => [prompt.name, prompt]));
  const descriptors = visibleTo(prompts.map((prompt) => listed(prompt, describePrompt(prompt))));
  const find = (name: string): Tool => {
    const prompt = byName.get(name);
    if (prompt === undefined) throw new McpFault(faultCodes.invalidParams, `Unknown prompt: ${name}`);
    return prompt;
  };
  return {
    list(cursor, scopes) {
      const { page, nextCursor } = pageList(descriptors(scopes), ({ name }) => name, pageSize, cursor);
      return { prompts: page, ...(nextCursor !== undefined && { nextCursor }) };
    },
    async get(name, args, context) {
      const prompt = find(name);
      const result = await runOffer(prompt, args, context, runner);
      if ("inputRequests" in result) return result;
      return { description: prompt.definition.description, messages: messagesOf(result) };
    },
    complete: (name, argument, typed) => completions(find(name), argument, typed),
  };
}

function resourcePort(resources: readonly Tool[], runner: CallRunner, pageSize: number | undefined): McpResources {
  const entries = resources.map((tool) => {
    const { uri = "" } = tool.definition;
    const parts = parseUriTemplate(uri) ?? [{ text: uri }];
    return { tool, uri, parts, isTemplate: parts.some((part) => "name" in part) };
  });
  const of = (template: boolean): ReturnType<typeof visibleTo<McpResourceDescriptor>> =>
    visibleTo(
      entries
        .filter(({ isTemplate }) => isTemplate === template)
        .map(({ tool }) => listed(tool, describeResource(tool))),
    );
  const [list, templates] = [of(false), of(true)];
  const find = (uri: string): { readonly tool: Tool; readonly args: JsonObject } => {
    for (const { tool, parts } of entries) {
      const args = matchUri(parts, uri);
      if (args !== undefined) return { tool, args };
    }
    throw new McpFault(faultCodes.invalidParams, "Resource not found", { uri });
  };
  return {
    list(cursor, scopes) {
      const { page, nextCursor } = pageList(list(scopes), ({ name }) => name, pageSize, cursor);
      return { resources: page, ...(nextCursor !== undefined && { nextCursor }) };
    },
    listTemplates(cursor, scopes) {
      const { page, nextCursor } = pageList(templates(scopes), ({ name }) => name, pageSize, cursor);
      return { resourceTemplates: page, ...(nextCursor !== undefined && { nextCursor }) };
    },
    async read(uri, context) {
      const { tool, args } = find(uri);
      const result = await runOffer(tool, args, context, runner);
      return "inputRequests" in result ? result : { contents: [await contentOf(tool, uri, result)] };
    },
    check: (uri) => void find(uri),
    complete(uriTemplate, argument, typed) {
      const entry = entries.find(({ uri }) => uri === uriTemplate);
      if (entry === undefined)
        throw new McpFault(faultCodes.invalidParams, `Unknown resource template: ${uriTemplate}`);
      return completions(entry.tool, argument, typed);
    },
  };
}

/** These have no results with `isError`: what goes wrong is an error of the protocol. */
async function runOffer(
  tool: Tool,
  args: JsonObject,
  context: McpCallContext,
  runner: CallRunner,
): Promise<JobResult | McpInputRequired> {
  let error: ToolError;
  try {
    const state = await runner.run(tool, args, context);
    if (state.kind === "asks") return state.answer;
    if (state.kind === "goes-on") throw new Error("A call without a limit was left.");
    if (state.outcome.state === "succeeded") return state.outcome.result;
    error = state.outcome.error;
  } catch (thrown) {
    if (thrown instanceof McpFault) throw thrown;
    error = ToolError.from(thrown);
  }
  if (error instanceof MissingCapabilityError) {
    const data = { requiredCapabilities: { [error.capability]: {} } };
    throw new McpFault(faultCodes.missingCapability, error.message, data);
  }
  const [block] = renderError(error, undefined).content;
  const isCallers = error.kind === "validation" || error.kind === "user-input";
  const code = isCallers ? faultCodes.invalidParams : faultCodes.internalError;
  throw new McpFault(code, block?.type === "text" ? block.text : error.message);
}

function messagesOf(result: JobResult): readonly PromptMessage[] {
  if (result.kind === "text") return [{ role: "user", content: { type: "text", text: result.text } }];
  if (result.kind !== "json") throw new McpFault(faultCodes.internalError, "Internal error");
  const { messages, content = [] } = JSON.parse(result.json) as {
    readonly messages?: readonly PromptMessage[];
    readonly content?: readonly PromptMessage["content"][];
  };
  return messages ?? content.map((block) => ({ role: "user", content: block }));
}

async function contentOf(
  { definition }: Tool,
  uri: string,
  result: JobResult,
): Promise<McpResourceResult["contents"][number]> {
  const { mimeType } = definition;
  if (result.kind === "text") return { uri, mimeType: mimeType ?? "text/plain", text: result.text };
  if (result.kind === "json") return { uri, mimeType: mimeType ?? "application/json", text: result.json };
  const type = definition.result.kind === "bytes" ? (mimeType ?? result.contentType) : result.contentType;
  const block = await binaryContent({ ...result, contentType: type }, uri);
  switch (block.type) {
    case "text":
      return { uri, mimeType: type, text: block.text };
    case "image":
    case "audio":
      return { uri, mimeType: type, blob: block.data };
    case "resource":
      return block.resource;
    case "resource_link":
      return { uri, mimeType: type, text: block.uri };
  }
}

/** MCP allows so many values in one answer. */
const mostCompletions = 100;

/** The literals of an argument's type that begin with what has been typed, in the order of the type. */
function completions({ definition }: Tool, argument: string, typed: string): readonly string[] {
  const properties = (definition.request?.schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const property = Object.hasOwn(properties, argument) ? properties[argument] : undefined;
  if (property === undefined) return [];
  const defs = (definition.request?.schema["$defs"] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const start = typed.toLowerCase();
  return literals(property, defs)
    .filter((value) => value.toLowerCase().startsWith(start))
    .slice(0, mostCompletions);
}

function literals(schema: JsonSchema, defs: Readonly<Record<string, JsonSchema>>): readonly string[] {
  const ref = schema["$ref"];
  if (typeof ref === "string") return literals(defs[ref.slice("#/$defs/".length)] ?? {}, defs);
  if (schema["const"] !== undefined) return [String(schema["const"])];
  if (Array.isArray(schema["enum"])) return schema["enum"].map(String);
  if (schema["type"] === "boolean") return ["true", "false"];
  return Array.isArray(schema["anyOf"])
    ? schema["anyOf"].flatMap((member) => literals(member as JsonSchema, defs))
    : [];
}
