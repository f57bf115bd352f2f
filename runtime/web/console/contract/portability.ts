import { asText, toJson } from "../base/json.ts";

/** A remark about a tool that some hosts refuse or truncate. */
export interface Remark {
  readonly tool: string;
  readonly text: string;
}

/** Average number of characters per token of a language model, for JSON. */
const charactersPerToken = 3.6;
/** Number of tools above which some hosts warn or leave tools out. */
const manyTools = 128;

/** Estimates the tokens of a model's context that a text takes: `1,234`. */
export function tokensOf(value: unknown): string {
  return Math.ceil(toJson(value).length / charactersPerToken).toLocaleString("en");
}

/** Remarks about tools as a host sees them. */
export function remarksOf(tools: readonly Readonly<Record<string, unknown>>[]): readonly Remark[] {
  const all: Remark[] = [];
  if (tools.length > manyTools) {
    all.push({ tool: "all", text: `${tools.length} tools: some hosts take no more than ${manyTools}.` });
  }
  for (const tool of tools) {
    const name = asText(tool["name"]) ?? "";
    const say = (text: string): void => void all.push({ tool: name, text });
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) say("Some hosts take only names of 1 to 64 letters, digits, _ and -.");
    const input = toJson(tool["inputSchema"]);
    if (input.includes('"$ref"')) say("The request contains itself; some hosts support no $ref.");
    if (input.includes('"patternProperties"')) say("Some hosts support no patternProperties.");
    const length = (asText(tool["description"]) ?? "").length;
    if (length > 1024) say(`The description has ${length} characters; some hosts cut it at 1024.`);
  }
  return all;
}
