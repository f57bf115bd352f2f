import type { PromptMessage } from "../../../contract/contract.ts";
import type { JobResult } from "../../../job/job.ts";
import type { Tool } from "../../../service/tools/tool.ts";
import { describePrompt } from "../lists/describe-offer.ts";
import { listed, visibleTo } from "../lists/visible-to.ts";
import { faultCodes, McpFault } from "../port/fault.ts";
import { pageList } from "../port/page-list.ts";
import type { McpPrompts } from "../port/port.ts";
import type { RunCall } from "./call-runner.ts";
import { completions } from "./completions.ts";
import { runToResult } from "./run-to-result.ts";

/** Creates the prompts of a service: its functions with `@prompt`. */
export function createPrompts(prompts: readonly Tool[], run: RunCall, pageSize: number | undefined): McpPrompts {
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
      const result = await runToResult(prompt, args, context, run);
      if ("inputRequests" in result) return result;
      return { description: prompt.definition.description, messages: messagesOf(result) };
    },
    complete: (name, argument, typed) => completions(find(name), argument, typed),
  };
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
