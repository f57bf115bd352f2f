interface Described {
  readonly description?: unknown;
  readonly default?: unknown;
  readonly deprecated?: unknown;
}

/** The doc comment of a schema or a tool, with a line break; empty if there are no texts. */
export function commentText({ description, default: preset, deprecated }: Described): string {
  const lines = typeof description === "string" && description.trim() !== "" ? description.trim().split(/\r?\n/) : [];
  if (preset !== undefined) lines.push(`@default ${JSON.stringify(preset)}`);
  if (deprecated !== undefined && deprecated !== false)
    lines.push(`@deprecated${typeof deprecated === "string" ? ` ${deprecated.replaceAll(/\s+/g, " ")}` : ""}`);
  if (lines.length === 0) return "";
  const safe = lines.map((line) => line.replaceAll("*/", "*\\/"));
  if (safe.length === 1) return `/** ${safe.join("")} */\n`;
  return `/**\n${safe.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
}
