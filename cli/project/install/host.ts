import { homedir } from "node:os";
import { join } from "node:path";

/** The way in which a host connects to the service. */
export type Server = LocalServer | RemoteServer;

/** A process that the host starts, over standard input and output. */
export interface LocalServer {
  readonly kind: "stdio";
  /** Absolute path of the program. */
  readonly command: string;
  readonly args: readonly string[];
  /** Environment variables with their values. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of variables whose values the host takes from its own environment, or for which it asks. */
  readonly passed: readonly string[];
}

/** A running service, over HTTP. */
export interface RemoteServer {
  readonly kind: "http";
  readonly url: string;
  /** Name of the variable that holds the access token. */
  readonly tokenVariable?: string;
}

/** Folders of this machine and user. */
export interface Places {
  /** The project's folder. */
  readonly project: string;
  readonly home: string;
  /** Folder in which programs of this system keep a user's settings. */
  readonly settings: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

export type Scope = "project" | "user";

/** A program that uses MCP servers, and the form of its configuration. */
export interface Host {
  readonly title: string;
  /** Address of the host's own documentation of the format. */
  readonly docs: string;
  readonly format: "json" | "toml" | "yaml";
  /** Keys under which the host's file contains the servers, from the outermost key. */
  readonly at: readonly string[];
  /** Path of the file by scope; the first one is the default. */
  readonly files: { readonly [scope in Scope]?: (places: Places) => string };
  /** The server in the host's form. Throws `CommandError` for a server that the host cannot be configured with. */
  entry(server: Server, name: string): Readonly<Record<string, unknown>>;
  /** Inputs that the host asks for, for `passed` variables and tokens; they are stored beside the servers. */
  inputs?(server: Server): readonly { readonly id: string }[];
  /** Address at which the host asks its user to install the server. */
  link?(server: Server, name: string): string;
  /** Instructions for the user after the file was written. */
  readonly next: string;
}

/** A change of one server in a host's file. */
export interface FileEdit {
  /** Path, for messages. */
  readonly file: string;
  /** Keys under which the file contains the servers, from the outermost key. */
  readonly at: readonly string[];
  readonly name: string;
  /** New entry of the server; undefined: the server is removed. */
  readonly entry: Readonly<Record<string, unknown>> | undefined;
  readonly inputs?: readonly { readonly id: string }[];
}

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
