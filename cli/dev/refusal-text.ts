/**
 * The sentence of an error with its first problem, and the number of the others: `The request does not match its
 * schema: /count Expected integer, and 2 more`.
 */
export function refusalText(message: unknown, problems: unknown): string {
  const said = plain(message);
  if (!Array.isArray(problems) || problems.length === 0) return said;
  const { path, message: problem } = Object(problems[0]) as Readonly<Record<string, unknown>>;
  const others = problems.length === 1 ? "" : `, and ${problems.length - 1} more`;
  return `${withoutStop(said)}: ${path === "" ? "(request)" : plain(path)} ${withoutStop(plain(problem))}${others}`;
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, "");
}

/** Texts of tools must not control the terminal, or break the line. */
export function plain(value: unknown): string {
  return typeof value === "string" ? value.replaceAll(/\p{Cc}+/gu, " ").slice(0, 300) : "";
}
