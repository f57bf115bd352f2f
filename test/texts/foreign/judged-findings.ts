import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A finding about a foreign tool that a person has judged. */
export interface JudgedFinding {
  readonly rule: string;
  /** Package and name of the tool. */
  readonly tool: string;
  readonly isFalse: boolean;
}

/** The findings in `judged.txt`: a heading for each rule, then `true` or `false`, the package and its tools. */
export function judgedFindings(): readonly JudgedFinding[] {
  const text = readFileSync(join(import.meta.dirname, "judged.txt"), "utf8");
  let rule = "";
  return text.split("\n").flatMap((line) => {
    if (line.startsWith("# ")) rule = line.slice(2);
    const [, verdict, name = "", tools = ""] = /^(true|false) (\S+): (.*)$/.exec(line) ?? [];
    if (verdict === undefined) return [];
    return tools.split(" ").map((tool) => ({ rule, tool: `${name} ${tool}`, isFalse: verdict === "false" }));
  });
}
