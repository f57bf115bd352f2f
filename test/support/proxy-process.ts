import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "./free-port.ts";

/** A proxy that others have written, running. */
export interface ProxyProcess {
  readonly url: string;
  stop(): Promise<void>;
}

/** The way to get the programs. */
export const installHint = "Install it with scripts/install-test-tools.sh (Debian).";

/** True when a program is there; it is asked for its version. */
export function isInstalled(program: "nginx" | "tinyproxy"): boolean {
  return spawnSync(program, ["-v"]).error === undefined;
}

/** nginx as the forwarding proxy: it fetches the URL that the header names. */
export function startNginx(): Promise<ProxyProcess> {
  return start("nginx", (folder, port) => [
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr crit; events {}
http {
  access_log off;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")}
  server {
    listen 127.0.0.1:${port};
    error_page 494 =431 @long;
    location @long { return 431; }
    location = /forward {
      if ($http_platform_forward_url = "") { return 421; }
      proxy_set_header Platform-Forward-Url "";
      proxy_pass $http_platform_forward_url;
    }
  }
}
`,
    ["-p", folder, "-e", "stderr", "-c"],
  ]);
}

/** tinyproxy, a generic forward proxy, which does not know the header. */
export function startTinyproxy(): Promise<ProxyProcess> {
  return start("tinyproxy", (folder, port) => [
    `Port ${port}\nListen 127.0.0.1\nTimeout 10\nLogFile "${folder}/log"\nMaxClients 10\n`,
    ["-d", "-c"],
  ]);
}

type Configure = (folder: string, port: number) => readonly [configuration: string, args: readonly string[]];

async function start(program: string, configure: Configure): Promise<ProxyProcess> {
  const folder = mkdtempSync(join(tmpdir(), "tenon-proxy-"));
  const port = await freePort();
  const [configuration, args] = configure(folder, port);
  const file = join(folder, "configuration");
  writeFileSync(file, configuration);
  const child = spawn(program, [...args, file], { stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  const ended = once(child, "exit");
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${stderr}`);
    await sleep(10);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
