import { expect, test } from "vitest";
import { CommandError } from "../../../../../cli/base/usage.ts";
import type { LocalServer, Places, RemoteServer } from "../../../../../cli/project/install/host.ts";
import { hosts } from "../../../../../cli/project/install/hosts.ts";

const local: LocalServer = {
  kind: "stdio",
  command: "/opt/node",
  args: ["/work/dist/service.mjs", "--with-mcp-stdio"],
  env: { LEVEL: "2" },
  passed: ["API_KEY"],
};
const remote: RemoteServer = { kind: "http", url: "https://tools.example.org/mcp", tokenVariable: "TOKEN" };
const command = { command: "/opt/node", args: ["/work/dist/service.mjs", "--with-mcp-stdio"] };

test.each<[string, object]>([
  ["claude-code", { type: "stdio", ...command, env: { LEVEL: "2", API_KEY: "${API_KEY}" } }],
  ["cursor", { ...command, env: { LEVEL: "2", API_KEY: "${env:API_KEY}" } }],
  ["vscode", { type: "stdio", ...command, env: { LEVEL: "2", API_KEY: "${input:API_KEY}" } }],
  ["codex", { ...command, env: { LEVEL: "2" }, env_vars: ["API_KEY"] }],
  ["gemini-cli", { ...command, env: { LEVEL: "2", API_KEY: "$API_KEY" } }],
  [
    "goose",
    {
      enabled: true,
      name: "primes",
      description: "",
      timeout: 300,
      type: "stdio",
      cmd: "/opt/node",
      args: command.args,
      envs: { LEVEL: "2" },
      env_keys: ["API_KEY"],
    },
  ],
])("%s starts the service, and takes a secret from its own environment", (name, form) => {
  expect(hosts[name]?.entry(local, "primes")).toEqual(form);
});

test.each<[string, object]>([
  ["claude-code", { type: "http", url: remote.url, headers: { Authorization: "Bearer ${TOKEN}" } }],
  ["cursor", { url: remote.url, headers: { Authorization: "Bearer ${env:TOKEN}" } }],
  ["vscode", { type: "http", url: remote.url, headers: { Authorization: "Bearer ${input:TOKEN}" } }],
  ["codex", { url: remote.url, bearer_token_env_var: "TOKEN" }],
  ["gemini-cli", { httpUrl: remote.url, headers: { Authorization: "Bearer $TOKEN" } }],
])("%s reaches a running service with a token by reference", (name, form) => {
  expect(hosts[name]?.entry(remote, "primes")).toEqual(form);
});

test("a host that cannot refer to a variable says so, and takes values", () => {
  for (const name of ["claude-desktop", "zed"]) {
    expect(() => hosts[name]?.entry(local, "primes")).toThrow(/API_KEY.*--env API_KEY=VALUE/);
    expect(hosts[name]?.entry({ ...local, passed: [] }, "primes")).toEqual({ ...command, env: { LEVEL: "2" } });
  }
  expect(() => hosts["zed"]?.entry(remote, "primes")).toThrow(CommandError);
  expect(hosts["zed"]?.entry({ kind: "http", url: remote.url }, "primes")).toEqual({ url: remote.url });
  expect(() => hosts["claude-desktop"]?.entry(remote, "primes")).toThrow(/local servers only/);
});

test("VS Code asks for secrets once", () => {
  const asked = { type: "promptString", id: "API_KEY", description: "API_KEY", password: true };
  expect(hosts["vscode"]?.inputs?.(local)).toEqual([asked]);
  expect(hosts["vscode"]?.inputs?.({ kind: "http", url: remote.url })).toEqual([]);
});

test("links carry the same form", () => {
  const cursor = new URL(hosts["cursor"]?.link?.(local, "primes") ?? "");
  const config = Buffer.from(cursor.searchParams.get("config") ?? "", "base64").toString();
  expect(JSON.parse(config)).toEqual(hosts["cursor"]?.entry(local, "primes"));
  const code = hosts["vscode"]?.link?.(remote, "primes") ?? "";
  expect(JSON.parse(decodeURIComponent(code.slice("vscode:mcp/install?".length)))).toEqual({
    name: "primes",
    ...hosts["vscode"]?.entry(remote, "primes"),
  });
  const goose = new URL(hosts["goose"]?.link?.(local, "primes") ?? "");
  expect([goose.searchParams.get("cmd"), goose.searchParams.getAll("arg")]).toEqual([command.command, command.args]);
  expect(hosts["goose"]?.link?.(remote, "primes")).toContain(`url=${encodeURIComponent(remote.url)}`);
});

const places = (platform: NodeJS.Platform, settings: string): Places => ({
  project: "/work",
  home: "/home/ada",
  settings,
  env: {},
  platform,
});

test.each<[string, "user" | "project", string, string]>([
  ["claude-code", "project", "/work/.mcp.json", "/work/.mcp.json"],
  ["claude-code", "user", "/home/ada/.claude.json", "/home/ada/.claude.json"],
  ["claude-desktop", "user", "/c/Claude/claude_desktop_config.json", "/lib/Claude/claude_desktop_config.json"],
  ["cursor", "user", "/home/ada/.cursor/mcp.json", "/home/ada/.cursor/mcp.json"],
  ["vscode", "user", "/c/Code/User/mcp.json", "/lib/Code/User/mcp.json"],
  ["codex", "user", "/home/ada/.codex/config.toml", "/home/ada/.codex/config.toml"],
  ["gemini-cli", "project", "/work/.gemini/settings.json", "/work/.gemini/settings.json"],
  ["goose", "user", "/home/ada/.config/goose/config.yaml", "/home/ada/.config/goose/config.yaml"],
  ["zed", "user", "/home/ada/.config/zed/settings.json", "/home/ada/.config/zed/settings.json"],
])("the file of %s for the %s", (name, scope, linux, mac) => {
  const file = hosts[name]?.files[scope];
  expect([file?.(places("linux", "/c")), file?.(places("darwin", "/lib"))]).toEqual([linux, mac]);
});
