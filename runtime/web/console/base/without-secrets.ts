/** Names of secret fields, whose values are sent only in a call. */
const secret = /passw|passphrase|secret|token|credential|api.?key|authori[sz]ation/i;
/** Names of fields that may also count tokens of a language model. */
const count = /tokens?$/i;

const isSecret = (key: string, value: unknown): boolean =>
  secret.test(key) && !(typeof value === "number" && count.test(key));

/** A request as JSON for reading, in which secrets are replaced by a mark. */
export function shownRequest(body: string): string {
  const mark = (key: string, value: unknown): unknown => {
    if (value === null || typeof value === "boolean" || !isSecret(key, value)) return value;
    return "[redacted]";
  };
  return JSON.stringify(JSON.parse(body), mark, 2);
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
