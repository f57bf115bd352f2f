/** Entries of a server in the formats of hosts' files. */
import { cursorEntryAt, typedEntry } from "../../../runtime/contract/mcp-host-forms.ts";
import { CommandError } from "../../base/usage.ts";
import type { LocalServer, RemoteServer, Server } from "./host.ts";

type Entry = Readonly<Record<string, unknown>>;

/** An entry in one of two forms, for a local or a remote server. */
export function byKind(
  local: (server: LocalServer) => Entry,
  remote: (server: RemoteServer) => Entry,
): (server: Server) => Entry {
  return (server) => (server.kind === "stdio" ? local(server) : remote(server));
}

export function commandOf({ command, args }: LocalServer): Entry {
  return { command, args };
}

/** Values of variables, and references to variables of the host's environment. */
export function envOf(
  { env, passed }: LocalServer,
  reference: (name: string) => string,
): Readonly<Record<string, string>> {
  return { ...env, ...Object.fromEntries(passed.map((name) => [name, reference(name)])) };
}

/** The header with the token of a remote server, as a reference to its variable. */
export function headersOf({ tokenVariable }: RemoteServer, reference: (name: string) => string): Entry {
  return tokenVariable === undefined ? {} : { headers: { Authorization: `Bearer ${reference(tokenVariable)}` } };
}

/** The error for a host whose file cannot refer to variables, so that it would have to contain a secret. */
export function noReference(title: string): (name: string) => never {
  return (name) => {
    throw new CommandError(
      `${title}'s file cannot refer to the variable ${name}. Give its value with --env ${name}=VALUE, or sign in by the service's authorisation server.`,
    );
  };
}

export function cursorEntry(server: Server): Entry {
  const reference = (name: string): string => `\${env:${name}}`;
  return server.kind === "stdio"
    ? { ...commandOf(server), env: envOf(server, reference) }
    : { ...cursorEntryAt(server.url), ...headersOf(server, reference) };
}

export function vscodeEntry(server: Server): Entry {
  const reference = (name: string): string => `\${input:${name}}`;
  return server.kind === "stdio"
    ? { type: "stdio", ...commandOf(server), env: envOf(server, reference) }
    : { ...typedEntry(server.url), ...headersOf(server, reference) };
}

export function gooseEntry(server: Server, name: string): Entry {
  const common = { enabled: true, name, description: "", timeout: 300 };
  if (server.kind === "stdio") {
    const { command, args, env, passed } = server;
    return { ...common, type: "stdio", cmd: command, args, envs: env, env_keys: passed };
  }
  const { tokenVariable } = server;
  const keys = tokenVariable === undefined ? {} : { env_keys: [tokenVariable] };
  return { ...common, type: "streamable_http", uri: server.url, ...headersOf(server, (key) => `\${${key}}`), ...keys };
}
