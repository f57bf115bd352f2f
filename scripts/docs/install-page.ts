import { stringify } from "smol-toml";
import { stringify as yaml } from "yaml";
import type { Host, LocalServer, RemoteServer } from "../../cli/project/install/host.ts";
import { hosts } from "../../cli/project/install/hosts.ts";

const name = "prime-numbers";
const local: LocalServer = {
  kind: "stdio",
  command: "/usr/bin/node",
  args: ["/home/ada/prime-numbers/dist/service.mjs", "--with-mcp-stdio"],
  env: {},
  passed: [],
};
const remote: RemoteServer = { kind: "http", url: "https://tools.example.org/mcp", tokenVariable: "TOOLS_TOKEN" };

/** The forms in which hosts are configured with a service, from the table of `tenon install`. */
export function installPage(): string {
  const rows = Object.entries(hosts).map(
    ([key, host]) => `| [${host.title}](#${key}) | \`tenon install ${key}\` | ${filesOf(host)} |`,
  );
  const sections = Object.entries(hosts).map(([key, host]) => sectionOf(key, host));
  return `<!-- Made by \`npm run docs\` from cli/project/install/hosts.ts. Do not edit. -->

# In a host

\`tenon install <host>\` adds the built service to the configuration file of a host (run \`npx tenon build\` first). The
host then starts the service, and uses it over standard input and output; with \`--url\` it connects to a service that
runs at that address. The command shows the change of the file and asks before it writes. Everything else in the file
stays as it is, comments included; a file that cannot be changed in this way is refused. \`--remove\` takes the server
out again, \`--print\` shows the form and writes nothing, \`--yes\` does not ask. Secrets stay out of the file:
\`--token-env NAME\` (with \`--url\`) and \`--env NAME\` refer to variables in the host's own way. Only
\`--env NAME=VALUE\` writes a value. \`<settings>\` is \`~/.config\` on Linux,
\`~/Library/Application Support\` on macOS, \`%APPDATA%\` on Windows. \`XDG_CONFIG_HOME\` takes the place of
\`~/.config\`, and \`CODEX_HOME\` of \`~/.codex\`.

| Host | Command | File |
|---|---|---|
${rows.join("\n")}

${sections.join("\n\n")}
`;
}

function filesOf({ files }: Host): string {
  const places = { project: "", home: "~", settings: "<settings>", env: {}, platform: "linux" as const };
  return Object.entries(files)
    .map(([scope, file]) => `\`${file(places).replace(/^\//, "")}\` (\`--scope ${scope}\`)`)
    .join(", ");
}

function sectionOf(key: string, host: Host): string {
  const heading = `## ${key}`;
  const blocks = [formOf(host, local)];
  try {
    blocks.push(`with \`--url ${remote.url} --token-env TOOLS_TOKEN\`:\n\n${formOf(host, remote)}`);
  } catch {
    blocks.push(`The file of this host cannot refer to a variable with a token.`);
  }
  return [
    heading,
    `**${host.title}.** See [its documentation of the file](${host.docs}). ${host.next}`,
    ...blocks,
  ].join("\n\n");
}

function formOf({ at, entry, format, inputs }: Host, server: LocalServer | RemoteServer): string {
  const asked = inputs?.(server) ?? [];
  const form = {
    ...at.reduceRight<object>((inner, part) => ({ [part]: inner }), { [name]: entry(server, name) }),
    ...(asked.length > 0 && { inputs: asked }),
  };
  const text = format === "json" ? JSON.stringify(form, null, 2) : format === "yaml" ? yaml(form) : stringify(form);
  return `\`\`\`${format}\n${text.trim()}\n\`\`\``;
}
