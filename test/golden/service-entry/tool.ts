import { Service, loggingInit, startLambdaServer, runMcpStdio, type JobContext } from "tenon";

loggingInit();

const version = "1.2.3";
const contact = { name: "Ann", email: "ann@example.com" } as const;

async function open(name: string): Promise<void> {
  await Promise.resolve(name);
}

const service = new Service({
  name: `Prime ` + "numbers",
  version,
  description: "Tests numbers.",
  contact,
  license: { name: "MIT", url: "https://example.com" },
  onStart: () => open(version),
  async onStop() {},
});

/** Waits. @tool */
export async function wait(job: JobContext): Promise<void> {
  await job.report.step("wait", {}, async () => {});
}

if (process.argv.includes("--direct")) await runMcpStdio(service);
else await startLambdaServer(service);
