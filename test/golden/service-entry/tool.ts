import { Service, loggingInit, startLambdaServer, runMcpStdio, type JobContext } from "tenon";

loggingInit();

const version = "1.2.3";
const contact = { name: "Ann", email: "ann@example.com" } as const;

const service = new Service({
  name: `Prime ` + "numbers",
  version,
  description: "Tests numbers.",
  contact,
  license: { name: "MIT", url: "https://example.com" },
});

/** Waits. @tool */
export async function wait(job: JobContext): Promise<void> {
  await job.report.step("wait", {}, async () => {});
}

if (process.argv.includes("--direct")) await runMcpStdio(service);
else await startLambdaServer(service);
