import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** The program itself: the package's command may be a script in front of it, which keeps descriptors for itself. */
const { default: workerd } = createRequire(import.meta.url)("workerd") as { readonly default: string };

/** Serves `worker.mjs` of a folder by Cloudflare's runtime until the test is over. @param flags Of compatibility */
export async function startWorkerd(folder: string, flags: readonly string[]): Promise<string> {
  writeFileSync(join(folder, "worker.capnp"), configOf(flags));
  // Descriptor 3 takes what is told about sockets.
  const child = spawn(workerd, ["serve", "worker.capnp", "--control-fd=3"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  let said = "";
  child.stderr?.on("data", (chunk) => (said += String(chunk)));
  return new Promise((found, failed) => {
    void ended.then(() => failed(new Error(`workerd ended: ${said}`)));
    let told = "";
    child.stdio[3]?.on("data", (chunk) => {
      told += String(chunk);
      const port = /"port":(\d+)/.exec(told)?.[1];
      if (port !== undefined) found(`http://127.0.0.1:${port}`);
    });
  });
}

/** Its requests may go to this machine, where the services of tests are. */
function configOf(flags: readonly string[]): string {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker), (name = "internet", network = (allow = ["public", "private"]))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.mjs")],
  compatibilityDate = "2026-07-01",
  compatibilityFlags = ${JSON.stringify(flags)},
);
`;
}
