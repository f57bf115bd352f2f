/** Names of secret fields, whose values are sent only in a call. */
const secret = /passw|passphrase|secret|token|credential|api.?key|authori[sz]ation/i;
/** Names of fields that may also count tokens of a language model. */
const count = /tokens?$/i;
const mark = "[redacted]";

const isSecret = (key: string, value: unknown): boolean =>
  secret.test(key) && !(typeof value === "number" && count.test(key));

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
    // Where the value ends is not known: the text may be cut within it.
    else if (/^[[{]/.test(part)) return `${shown}"${mark}"…`;
    else shown += isSecret(key, Number(value)) ? `"${mark}"${part.slice(value.length)}` : part;
    key = isKey && secret.test(part) ? part.slice(1, -2) : "";
  }
  return shown;
}

/** A request as JSON without fields whose names indicate a secret, and these names. */
export function withoutSecrets(request: unknown): readonly [text: string, left: readonly string[]] {
  const left = new Set<string>();
  const text = JSON.stringify(request, (key, value: unknown) => {
    if (!isSecret(key, value)) return value;
    left.add(key);
    return undefined;
  });
  return [text, [...left]];
}
