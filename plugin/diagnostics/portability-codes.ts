import type { CodeEntry } from "./code-entry.ts";

/** Codes about what some MCP hosts refuse. */
export type PortabilityCode = "TN501" | "TN502" | "TN503" | "TN504";

/** Arguments of tools as hosts take them: 5xx. */
export const portabilityCodes: Readonly<Record<PortabilityCode, CodeEntry>> = {
  TN501: {
    level: "warning",
    title: "Property name is refused by hosts",
    explain:
      "Model providers take property names of 1 to 64 letters, digits, `_`, `.` and `-`, and refuse a whole request over another one.",
  },
  TN502: {
    level: "warning",
    title: "Request contains itself",
    explain:
      "Its schema needs a `$ref`, and some hosts refuse a tool that has one. All other named types are written out in place for them.",
  },
  TN503: {
    level: "warning",
    title: "Keys have a form",
    explain:
      "Few hosts know `patternProperties`, which the service definition and OpenAPI have. Where all values are of one type, hosts are told that keys of any name have it, and the tool " +
      "leaves out the keys of another form; else the keyword stays.",
  },
  TN504: {
    level: "warning",
    title: "Schema is large",
    explain:
      "A schema of more than 100 kB fills what a model can read, and hosts refuse it. It often comes from a union of thousands of texts, or from a package's type of which a few fields are needed.",
  },
};
