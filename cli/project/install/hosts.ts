import { join } from "node:path";
import { cursorFile, serversKey, typedEntry } from "../../../runtime/contract/mcp-host-forms.ts";
import { CommandError } from "../../base/usage.ts";
import type { Host, Places } from "./host.ts";
import {
  byKind,
  commandOf,
  cursorEntry,
  envOf,
  gooseEntry,
  headersOf,
  noReference,
  vscodeEntry,
} from "./server-entry.ts";

/** Every host, by its name on the command line. */
export const hosts: Readonly<Record<string, Host>> = {
  "claude-code": {
    title: "Claude Code",
    docs: "https://code.claude.com/docs/en/mcp",
    format: "json",
    at: [serversKey],
    files: { project: inProject(".mcp.json"), user: inHome(".claude.json") },
    entry: byKind(
      (local) => ({ type: "stdio", ...commandOf(local), env: envOf(local, (name) => `\${${name}}`) }),
      (remote) => ({ ...typedEntry(remote.url), ...headersOf(remote, (name) => `\${${name}}`) }),
    ),
    next: "Start `claude` in the project and approve the server; `/mcp` shows it.",
  },
  "claude-desktop": {
    title: "Claude Desktop",
    docs: "https://modelcontextprotocol.io/docs/develop/connect-local-servers",
    format: "json",
    at: [serversKey],
    files: { user: ({ settings }) => join(settings, "Claude", "claude_desktop_config.json") },
    entry: byKind(
      (local) => ({ ...commandOf(local), env: envOf(local, noReference("Claude Desktop")) }),
      () => {
        throw new CommandError(
          "Claude Desktop's file knows local servers only. Leave out --url, or add the address under Settings, Connectors.",
        );
      },
    ),
    next: "Quit Claude Desktop and start it again.",
  },
  cursor: {
    title: "Cursor",
    docs: "https://cursor.com/docs/context/mcp",
    format: "json",
    at: [serversKey],
    files: { user: inHome(cursorFile), project: inProject(cursorFile) },
    entry: cursorEntry,
    link: (server, name) => {
      const config = Buffer.from(JSON.stringify(cursorEntry(server))).toString("base64");
      return `cursor://anysphere.cursor-deeplink/mcp/install?${new URLSearchParams({ name, config })}`;
    },
    next: "Open Cursor's settings, section MCP: it lists the server with its tools.",
  },
  vscode: {
    title: "VS Code",
    docs: "https://code.visualstudio.com/docs/copilot/reference/mcp-configuration",
    format: "json",
    at: ["servers"],
    files: {
      project: inProject(".vscode", "mcp.json"),
      user: ({ settings }) => join(settings, "Code", "User", "mcp.json"),
    },
    entry: vscodeEntry,
    inputs: (server) =>
      [...(server.kind === "http" ? [server.tokenVariable ?? []].flat() : server.passed)].map((name) => ({
        type: "promptString",
        id: name,
        description: name,
        password: true,
      })),
    link: (server, name) =>
      `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, ...vscodeEntry(server) }))}`,
    next: "Run `MCP: List Servers` from the command palette, and start the server.",
  },
  codex: {
    title: "Codex",
    docs: "https://developers.openai.com/codex/mcp",
    format: "toml",
    at: ["mcp_servers"],
    files: { user: ({ home, env }) => join(env["CODEX_HOME"] ?? join(home, ".codex"), "config.toml") },
    entry: byKind(
      (local) => ({
        ...commandOf(local),
        ...(local.passed.length > 0 && { env_vars: local.passed }),
        ...(Object.keys(local.env).length > 0 && { env: local.env }),
      }),
      ({ url, tokenVariable }) => ({
        url,
        ...(tokenVariable !== undefined && { bearer_token_env_var: tokenVariable }),
      }),
    ),
    next: "Start `codex`; `/mcp` shows the server.",
  },
  "gemini-cli": {
    title: "Gemini CLI",
    docs: "https://geminicli.com/docs/tools/mcp-server",
    format: "json",
    at: [serversKey],
    files: { user: inHome(".gemini", "settings.json"), project: inProject(".gemini", "settings.json") },
    entry: byKind(
      (local) => ({ ...commandOf(local), env: envOf(local, (name) => `$${name}`) }),
      (remote) => ({ httpUrl: remote.url, ...headersOf(remote, (name) => `$${name}`) }),
    ),
    next: "Start `gemini`; `/mcp` shows the server.",
  },
  goose: {
    title: "Goose",
    docs: "https://block.github.io/goose/docs/getting-started/using-extensions",
    format: "yaml",
    at: ["extensions"],
    files: { user: gooseFile },
    entry: gooseEntry,
    link: (server, name) => {
      const query = new URLSearchParams();
      if (server.kind === "stdio") {
        query.append("cmd", server.command);
        for (const word of server.args) query.append("arg", word);
      } else {
        query.append("type", "streamable_http");
        query.append("url", server.url);
      }
      for (const key of ["id", "name", "description"]) query.append(key, name);
      return `goose://extension?${query}`;
    },
    next: "Start a new session of Goose, which loads the server.",
  },
  zed: {
    title: "Zed",
    docs: "https://zed.dev/docs/ai/mcp",
    format: "json",
    at: ["context_servers"],
    files: { user: zedFile, project: inProject(".zed", "settings.json") },
    entry: byKind(
      (local) => ({ ...commandOf(local), env: envOf(local, noReference("Zed")) }),
      (remote) => ({ url: remote.url, ...headersOf(remote, noReference("Zed")) }),
    ),
    next: "Zed reads the file at once; the agent panel's settings show the server.",
  },
};

function inProject(...path: readonly string[]): (places: Places) => string {
  return ({ project }) => join(project, ...path);
}

function inHome(...path: readonly string[]): (places: Places) => string {
  return ({ home }) => join(home, ...path);
}

function gooseFile({ home, env, platform }: Places): string {
  if (platform === "win32") return join(env["APPDATA"] ?? home, "Block", "goose", "config", "config.yaml");
  return join(env["XDG_CONFIG_HOME"] ?? join(home, ".config"), "goose", "config.yaml");
}

/** Finds Zed's settings file: on macOS too, it is in ~/.config. */
function zedFile({ home, env, platform }: Places): string {
  if (platform === "win32") return join(env["APPDATA"] ?? home, "Zed", "settings.json");
  return join(
    (platform === "linux" ? env["XDG_CONFIG_HOME"] : undefined) ?? join(home, ".config"),
    "zed",
    "settings.json",
  );
}
