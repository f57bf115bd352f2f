import type { JsonObject, JsonValue } from "../../contract/contract.ts";

/** Removes secrets from data that leaves the process: log, telemetry, events. */
export interface Redactor {
  /** Removes known secrets, and texts that look like a secret. `token` is one more known secret. */
  text(text: string, token?: string): string;
  /**
   * Returns a copy in which the values of fields with secret names are removed, and all other texts are redacted by
   * {@link Redactor.text}.
   */
  fields<T extends JsonObject>(fields: T, token?: string): T;
  /**
   * Removes known secrets only; returns the same value if there are none. A text that only looks like a secret stays:
   * in an event or an answer it may be the requested data, such as a signed URL.
   */
  known<T extends JsonValue>(value: T, token?: string): T;
  /** Removes known secrets, and the values of fields whose names indicate a secret. */
  event<T extends JsonObject>(value: T, token?: string): T;
}

const mark = "[redacted]";
const secretName =
  /(?:auth|authorization|password|passwd|passphrase|secret|secretkey|token|apikey|accesskey|privatekey|signingkey|encryptionkey|credentials?|cookies?|jwt|bearer)$/;
/** Minimum length of a secret. Shorter secrets would match ordinary words. */
const leastLength = 6;

// Repetitions are bounded, so that a long text without a secret takes linear time.
const shapes: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Basic)\s{1,8}[\w.~+/=-]{6,}/gi, `$1 ${mark}`],
  // Matches the userinfo of a URL.
  [/:\/\/[^\s/?#@"'<>\\]{1,1024}@/g, `://${mark}@`],
  [
    /([?&][\w.-]{0,40}(?:token|key|secret|passw(?:or)?d|auth|signature|sig|credential|code)=)[^&\s#"'<>\\]{1,}/gi,
    `$1${mark}`,
  ],
  [
    /((?:authorization|api[-_]?key|passw(?:or)?d|secret|(?:access|refresh|id)[-_]?token|cookie)["']?\s{0,8}[:=]\s{0,8}["']?)(?!Bearer|Basic|\[redacted)[^\s"',;&}]{4,}/gi,
    `$1${mark}`,
  ],
  // Matches tokens of well-known issuers: JWT, OpenAI and similar, GitHub, Slack, AWS.
  [/\beyJ[\w-]{8,}\.[\w-]{4,}\.[\w-]*/g, mark],
  [/\b(?:sk-[\w-]{16,}|gh[pousr]_\w{20,}|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16})/g, mark],
];

/** Matches each text that may have one of these shapes; most texts do not match, and need no further check. */
const suspicious =
  /:\/\/|bearer|basic|auth|key|passw|secret|token|cookie|credential|code=|sig|eyJ|sk-|gh[pousr]_|xox|AKIA/i;
/** Number of field names whose kind is cached. */
const maxNames = 1000;

/** Creates a redactor that knows these secrets; see `secretsOf`. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const known = pattern(secrets);
  let lastToken: string | undefined;
  let tokenPattern: RegExp | undefined;
  const withoutKnown = (value: string, token: string | undefined): string => {
    let clean = known === undefined ? value : value.replace(known, mark);
    if (token !== undefined) {
      if (token !== lastToken) {
        lastToken = token;
        tokenPattern = pattern(variants(token));
      }
      if (tokenPattern !== undefined) clean = clean.replace(tokenPattern, mark);
    }
    return clean;
  };
  const text = (value: string, token?: string): string => {
    let clean = withoutKnown(value, token);
    if (!suspicious.test(clean)) return clean;
    for (const [shape, replacement] of shapes) clean = clean.replace(shape, replacement);
    return clean;
  };
  const names = new Map<string, boolean>();
  const isSecret = (name: string): boolean => {
    let secret = names.get(name);
    if (secret === undefined) {
      secret = isSecretName(name);
      if (names.size < maxNames) names.set(name, secret);
    }
    return secret;
  };
  const value = (item: JsonValue, token: string | undefined): JsonValue => {
    if (typeof item === "string") return text(item, token);
    if (typeof item !== "object" || item === null) return item;
    if (!Array.isArray(item)) return fields(item as JsonObject, token);
    const list = item as readonly JsonValue[];
    // Headers given as pairs of name and value.
    const [name, second] = list;
    if (list.length === 2 && typeof name === "string" && typeof second === "string" && isSecret(name))
      return [name, mark];
    return list.map((part) => value(part, token));
  };
  const fields = <T extends JsonObject>(object: T, token?: string): T => {
    const copy: (readonly [string, JsonValue])[] = [];
    for (const [name, item] of Object.entries(object)) {
      const secret = isSecret(name) && item !== null && typeof item !== "boolean";
      if (item !== undefined) copy.push([text(name, token), secret ? mark : value(item, token)]);
    }
    return Object.fromEntries(copy) as T;
  };
  const knownOf = (item: JsonValue, token: string | undefined, byName: boolean): JsonValue => {
    if (typeof item === "string") return withoutKnown(item, token);
    if (typeof item !== "object" || item === null) return item;
    let copy: Map<string, JsonValue> | undefined;
    for (const name of Object.keys(item)) {
      const part = (item as JsonObject)[name] ?? null;
      const isHidden = byName && part !== null && typeof part !== "boolean" && !Array.isArray(item) && isSecret(name);
      const clean = isHidden ? mark : knownOf(part, token, byName);
      if (clean !== part) (copy ??= new Map()).set(name, clean);
    }
    if (copy === undefined) return item;
    if (Array.isArray(item)) return (item as readonly JsonValue[]).map((part, at) => copy.get(String(at)) ?? part);
    return Object.fromEntries(Object.entries(item).map(([name, part]) => [name, copy.get(name) ?? part ?? null]));
  };
  return {
    text,
    fields,
    known: (item, token) => knownOf(item, token, false) as typeof item,
    event: (item, token) => knownOf(item, token, true) as typeof item,
  };
}

/** True for the name of a field or header that holds a secret: `apiKey`, `X-Api-Key`, `refresh_token` … */
export function isSecretName(name: string): boolean {
  return secretName.test(name.toLowerCase().replace(/[^a-z0-9]/g, ""));
}

/** Returns the forms in which a secret occurs: unchanged, without its scheme, and as part of a URL. */
export function variants(secret: string): readonly string[] {
  const bare = secret.replace(/^(?:Bearer|Basic)\s+/i, "");
  return [...new Set([secret, bare, encodeURIComponent(bare.toWellFormed())])].filter(
    (form) => form.length >= leastLength,
  );
}

function pattern(secrets: readonly string[]): RegExp | undefined {
  if (secrets.length === 0) return undefined;
  // The longest secret first, since it may contain a shorter one.
  const ordered = secrets.toSorted((one, other) => other.length - one.length);
  return new RegExp(ordered.map((secret) => secret.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("|"), "g");
}
