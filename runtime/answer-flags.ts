import type { Config } from "./config.ts";
import { endProcess } from "./end-process.ts";
import type { Flavour } from "./flags.ts";
import type { Served } from "./served.ts";
import type { Service } from "./service.ts";
import type { Tool } from "./tool.ts";
import { tenonVersion } from "./version.ts";

/** Prints what a flag asks for and ends the process; returns when no flag does. `worker`: what `--test-file` runs. */
export async function answerFlags(served: Served, config: Config, flavour: Flavour, worker?: Tool): Promise<void> {
  const { version, printServiceDescription, printToolDescription, testFile } = config.flags;
  if (version) await endProcess(0, `${served.service.name} ${served.version} (tenon ${tenonVersion})\n`);
  if (printServiceDescription !== false || printToolDescription !== false) {
    const { printedDescription } = await import("./describe.ts");
    await endProcess(0, printedDescription(served, config, flavour));
  }
  if (testFile === undefined) return;
  const { runTestFile } = await import("./run-test-file.ts");
  const { code, output, problem } = await runTestFile(testFile, served, config, worker);
  await endProcess(code, output, problem);
}

/** `--help`: needs no tools, so that it also helps where the service cannot start. */
export async function printHelp(service: Service, flavour: Flavour): Promise<never> {
  const { helpText } = await import("./help-text.ts");
  return endProcess(0, helpText(service.name, flavour));
}
