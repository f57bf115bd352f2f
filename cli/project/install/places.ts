import { homedir } from "node:os";
import { join } from "node:path";
import type { Places } from "./host.ts";

/** Folders of the user who runs the command, from environment and system. */
export function placesOf(
  project: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): Places {
  const home = homedir();
  return { project, home, env, platform, settings: settingsFolder(home, env, platform) };
}

function settingsFolder(home: string, env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === "darwin") return join(home, "Library", "Application Support");
  if (platform === "win32") return env["APPDATA"] ?? join(home, "AppData", "Roaming");
  return env["XDG_CONFIG_HOME"] ?? join(home, ".config");
}
