import { isSecret } from "./without-secrets.ts";

const mark = "[redacted]";

/** A request as JSON for reading, in which secrets are replaced by a mark. */
export function shownRequest(body: string): string {
  const marked = (key: string, value: unknown): unknown =>
    value === null || typeof value === "boolean" || !isSecret(key, value) ? value : mark;
  return JSON.stringify(JSON.parse(body), marked, 2);
}

/** The beginning of a request's JSON, which may be cut anywhere, in which secrets are replaced by a mark. */
export function shownBeginning(json: string): string {
  let shown = "";
  let key = "";
  for (const [part] of json.matchAll(/"(?:\\.|[^"\\])*"?:?|[[{]|[^"[{]+/gs)) {
    const isKey = /^"(?:\\.|[^"\\])*":$/s.test(part);
    const [value = ""] = /^[^,}\]]*/.exec(part) ?? [];
    if (isKey || key === "" || /^(?:true|false|null|)$/.test(value)) shown += part;
    else if (part.startsWith('"')) shown += `"${mark}"`;
    // Ends here, since the text may be cut within the value.
    else if (/^[[{]/.test(part)) return `${shown}"${mark}"…`;
    else shown += isSecret(key, Number(value)) ? `"${mark}"${part.slice(value.length)}` : part;
    key = isKey && isSecret(part, undefined) ? part.slice(1, -2) : "";
  }
  return shown;
}
