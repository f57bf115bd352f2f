import type { Adopted, OpenLine } from "../../plugin/index.ts";

/** Names of the libraries in the spelling that people use. */
const sourceNames: { readonly [source: string]: string } = {
  "mcp-sdk": "MCP SDK",
  fastmcp: "FastMCP",
  xmcp: "xmcp",
  hono: "Hono",
  fastify: "Fastify",
  tsoa: "tsoa",
  "ts-rest": "ts-rest",
};

/** Summarises in one sentence everything that was read. */
export function summaryText({ modules, open, files }: Adopted): string {
  const tools = modules.flatMap((module) => module.tools);
  const sources = [...new Set(tools.map(({ source }) => sourceNames[source] ?? source))].toSorted().join(", ");
  return `${counted(tools.length, "tool")} of ${sources} in ${counted(files, "file")}; ${counted(open.length, "line")} not carried over`;
}

function counted(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

/** Describes a line that was not carried over, in one line of text. */
export function openText({ tool, code, reason, advice }: OpenLine): string {
  return `${tool === undefined ? "" : `${tool}: `}${code}\n    ${reason}; ${advice}`;
}

/** The report as a document: `adopt.md`. */
export function reportMarkdown(adopted: Adopted): string {
  const { modules, open } = adopted;
  const tools = modules.flatMap((module) =>
    module.tools.map((tool) => {
      const shown = tool.route === undefined ? cell(tool.name) : `${cell(tool.name)}, ${cell(tool.route)}`;
      const lines = open.filter((line) => line.tool === tool.name && line.file === tool.file).length;
      return `| ${shown} | \`${tool.file}:${tool.line}\` | ${lines === 0 ? "" : lines} |`;
    }),
  );
  const lines = open.map(
    ({ file, line, tool = "", code, reason, advice }) =>
      `| \`${file}:${line}\` | ${cell(tool)} | ${codeCell(code)} | ${cell(reason)} | ${cell(advice)} |`,
  );
  return [
    "# What `tenon adopt` carried over",
    `${summaryText(adopted)}.`,
    "## Tools",
    ["| Tool | From | Lines not carried over |", "|---|---|---|", ...tools].join("\n"),
    ...(lines.length === 0
      ? []
      : [
          "## Not carried over",
          ["| Line | Tool | Code | Reason | What to write |", "|---|---|---|---|---|", ...lines].join("\n"),
        ]),
  ]
    .join("\n\n")
    .concat("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ");
}

function codeCell(text: string): string {
  return `\`${cell(text).replaceAll("`", "'")}\``;
}
