import type { Promised, Promises, Step } from "../../promise.ts";
import type { Serve } from "../../ways.ts";

const withPrompts: ReadonlySet<Serve> = new Set(["stdio", "registerMcp", "MCP 2025-11-25, session", "MCP 2026-07-28"]);
const mcp = (...steps: readonly Step[]): Promised => ({
  steps,
  except: ({ serve }) => (withPrompts.has(serve) ? undefined : "only MCP has prompts and resources"),
});

export const promises: Promises = {
  "A prompt takes its arguments, and gives messages": mcp({
    ask: "prompts/get",
    params: { name: "review", arguments: { language: "python" } },
    out: {
      messages: [
        { role: "user", content: { type: "text", text: "Review this python code." } },
        { role: "assistant", content: { type: "text", text: "Where is it?" } },
      ],
    },
  }),
  "An argument that a prompt does not know is refused by its name": mcp({
    ask: "prompts/get",
    params: { name: "review", arguments: { language: "cobol" } },
    out: { error: /language/ },
  }),
  "A resource is read by its address, with values of its template": mcp(
    {
      ask: "resources/read",
      params: { uri: "notes://41" },
      out: { contents: [{ uri: "notes://41", mimeType: "text/markdown", text: "# Note 42" }] },
    },
    {
      ask: "resources/read",
      params: { uri: "settings://all" },
      out: { contents: [{ mimeType: "application/json", text: '{"colour":"red"}' }] },
    },
  ),
  "Prompts and resources are listed": mcp(
    { ask: "prompts/list", out: { prompts: [{ name: "review", arguments: [{ name: "language", required: true }] }] } },
    { ask: "resources/list", out: { resources: [{ uri: "settings://all" }] } },
    { ask: "resources/templates/list", out: { resourceTemplates: [{ uriTemplate: "notes://{id}" }] } },
    {
      ask: "completion/complete",
      params: { ref: { type: "ref/prompt", name: "review" }, argument: { name: "language", value: "p" } },
      out: { completion: { values: ["python"] } },
    },
  ),
};
