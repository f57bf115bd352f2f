/** Names of secret fields, whose values are sent only in a call. */
const secret = /passw|passphrase|secret|token|credential|api.?key|authori[sz]ation/i;
/** Names of fields that may also count tokens of a language model. */
const count = /tokens?$/i;

/** True for a field whose name indicates a secret. */
export function isSecret(key: string, value: unknown): boolean {
  return secret.test(key) && !(typeof value === "number" && count.test(key));
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
