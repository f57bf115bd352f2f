// Asking tools on standard input and output, run by the tests as a process of its own.
import { runMcpStdio } from "../../../runtime/start/run-mcp-stdio.ts";
import { defineTool } from "../../../runtime/service/tools/registry.ts";
import { Service } from "../../../runtime/service/service.ts";
import { askingTools, offers } from "./beyond-tools.ts";

for (const tool of [...askingTools, ...offers]) {
  defineTool({ ...tool.definition, options: tool.options as never }, tool.functions);
}
await runMcpStdio(new Service({ name: "Asking tools", version: "1.2.3" }));
