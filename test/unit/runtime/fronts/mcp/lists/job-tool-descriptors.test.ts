import { expect, test } from "vitest";
import { jobToolDescriptors } from "../../../../../../runtime/fronts/mcp/lists/job-tool-descriptors.ts";
import { fakeTool } from "../../../../../support/fake-tool.ts";

/** The hints by which a host asks its user, or does not. */
function hintsOf(waits: boolean) {
  const { definition } = fakeTool(() => 1);
  const tools = [{ definition: waits ? { ...definition, waits: [] } : definition }];
  return jobToolDescriptors(tools).map(({ name, annotations, inputSchema }) => ({
    name,
    annotations,
    required: inputSchema["required"],
    more: inputSchema["additionalProperties"],
  }));
}

test("the tools that only read say so, and those that change something do not", () => {
  expect(hintsOf(true)).toEqual([
    { name: "job_status", annotations: { readOnlyHint: true }, required: ["jobId"], more: false },
    { name: "job_result", annotations: { readOnlyHint: true }, required: ["jobId"], more: false },
    { name: "job_send", annotations: {}, required: ["jobId", "name", "message"], more: false },
    {
      name: "job_cancel",
      annotations: { destructiveHint: true, idempotentHint: true },
      required: ["jobId"],
      more: false,
    },
  ]);
});

test("job_send is there only where a tool waits for messages", () => {
  expect(hintsOf(false).map(({ name }) => name)).toEqual(["job_status", "job_result", "job_cancel"]);
});
