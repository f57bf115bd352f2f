import { flagsOf, type FlagName, type Flavour } from "./flags.ts";

const meanings: Readonly<Record<FlagName, string>> = {
  host: "address to listen on (env HOST, default 0.0.0.0)",
  port: "port to listen on, 0 for any (env PORT, default 8090)",
  "with-mcp": "serve MCP over HTTP on /mcp as well",
  "with-mcp-stdio": "serve MCP over standard input and output instead of HTTP",
  concurrency: "jobs that run at the same time (default: set in the entry, else 1)",
  "test-file": "run one request from a file, print the result, and end",
  tool: "the tool that --test-file runs or a --print flag shows, when there are several",
  "test-without-sidecar": "deliver no events and no results",
  "with-telemetry": "instrument outbound requests also without an endpoint",
  "without-telemetry": "do not instrument outbound requests",
  "print-service-description": "print the service definition, and end",
  "print-tool-description": "print the tool description, and end",
  help: "print this text, and end",
  version: "print the version of the service, and end",
};

/** The text of `--help`. */
export function helpText(serviceName: string, flavour: Flavour): string {
  const rows = flagsOf(flavour).map(([name, { value, of = "" }]) => {
    const operand = value === "none" ? "" : value === "required" ? ` ${of}` : ` [${of}]`;
    return [`  --${name}${operand}`, meanings[name]] as const;
  });
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  const lines = rows.map(([left, right]) => `${left.padEnd(width)}${right}`);
  return `${serviceName}\n\nFlags:\n${lines.join("\n")}\n`;
}
