import { existsSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { CommandError, UsageError } from "../../base/usage.ts";
import type { Project } from "../project.ts";
import type { LocalServer, RemoteServer } from "./host.ts";

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The built service of a project, as a process over standard input and output. */
export function localServer({ root, entry }: Project, outdir: string, variables: readonly string[]): LocalServer {
  const built = join(root, outdir, basename(entry).replace(/\.[cm]?[jt]sx?$/, ".mjs"));
  if (!existsSync(built)) {
    throw new CommandError(
      `There is no ${relative(process.cwd(), built)}. Build the service first: npx tenon build. Or give the address of a running one with --url.`,
    );
  }
  const given = variables.map(readVariable);
  return {
    kind: "stdio",
    // The path of Node is absolute, since a graphical host often does not have the PATH of a terminal.
    command: process.execPath,
    args: [built, "--with-mcp-stdio"],
    env: Object.fromEntries(given.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]))),
    passed: given.flatMap(({ name, value }) => (value === undefined ? [name] : [])),
  };
}

export function remoteServer(url: string, tokenVariable: string | undefined): RemoteServer {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
    throw new UsageError(
      `--url ${JSON.stringify(url)} is not an http address; write one such as https://tools.example.org/mcp`,
    );
  }
  if (tokenVariable === undefined) return { kind: "http", url };
  if (!variableName.test(tokenVariable)) {
    throw new UsageError("--token-env takes the name of a variable that holds the token, not the token");
  }
  return { kind: "http", url, tokenVariable };
}

function readVariable(word: string): { readonly name: string; readonly value: string | undefined } {
  const at = word.indexOf("=");
  const name = at < 0 ? word : word.slice(0, at);
  if (!variableName.test(name)) throw new UsageError(`--env ${JSON.stringify(name)} is not a valid name of a variable`);
  return { name, value: at < 0 ? undefined : word.slice(at + 1) };
}
