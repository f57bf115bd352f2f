import type { Config } from "../service/config/config.ts";
import { endProcess } from "../base/process/end-process.ts";
import type { Flavour } from "../service/config/flags.ts";
import type { Served } from "../service/served.ts";
import type { Service } from "../service/service.ts";
import type { Tool } from "../service/tools/tool.ts";
import { tenonVersion } from "../base/version.ts";

/**
 * Prints the output of a flag and ends the process; returns when there is no such flag. `worker`: the only tool that a
 * batch service runs.
 */
export async function answerFlags(served: Served, config: Config, flavour: Flavour, worker?: Tool): Promise<void> {
  const { version, printServiceDescription, printToolDescription, testFile } = config.flags;
  if (version) await endProcess(0, `${served.service.name} ${served.version} (tenon ${tenonVersion})\n`);
  if (printServiceDescription !== false || printToolDescription !== false) {
    const { printedDescription } = await import("./parts/describe.ts");
    await endProcess(0, printedDescription(served, config, flavour, worker));
  }
  if (testFile === undefined) return;
  const { runTestFile } = await import("./run-test-file.ts");
  const { code, output, problem } = await runTestFile(testFile, served, config, worker);
  await endProcess(code, output, problem);
}

/** Prints `--help`, which needs no tools, so that it works even when the service cannot start. */
export async function printHelp(service: Service, flavour: Flavour): Promise<never> {
  const { helpText } = await import("../service/config/help-text.ts");
  return endProcess(0, helpText(service.name, flavour));
}
