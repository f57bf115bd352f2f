// A service on standard input and output, run by the tests as a process of its own.
import { runMcpStdio } from "../../../runtime/start/run-mcp-stdio.ts";
import { defineTool } from "../../../runtime/service/tools/registry.ts";
import { Service } from "../../../runtime/service/service.ts";
import { createTools, createWitness } from "./tools.ts";

const witness = createWitness();
for (const tool of createTools(witness)) {
  defineTool({ ...tool.definition, options: tool.options as never }, tool.functions);
}
witness.started.promise.then(() => console.log("[started]"));
const watch = setInterval(() => {
  if (witness.aborted.length > 0) {
    console.log(`[aborted] ${String(witness.aborted.pop())}`);
  }
}, 10);
// Keeps the process alive for ever, as a careless author's timer does.
watch.ref();

await runMcpStdio(new Service({ name: "Test tools", version: "1.2.3" }));
