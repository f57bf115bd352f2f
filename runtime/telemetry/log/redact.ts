import type { JsonObject, JsonValue } from "../../contract/contract.ts";
import { setField } from "../../base/json-safe.ts";

/** Removes secrets from data that leaves the process: log, telemetry, events. */
export interface Redactor {
  /** Removes known secrets, and texts that look like a secret. `token` is one more known secret. */
  text(text: string, token?: string): string;
  /**
   * Removes the values of fields with secret names, and redacts all other texts by {@link Redactor.text}. Like the
   * methods below, it returns the same value if nothing changes, and a copy otherwise.
   */
  fields<T extends JsonObject>(fields: T, token?: string): T;
  /**
   * Removes known secrets only. A text that only looks like a secret stays: in an event or an answer it may be the
   * requested data, such as a signed URL.
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
const scheme = /^(?:Bearer|Basic)\s+/i;

// Repetitions are bounded, or begin once in a run of letters, so that a long text without a secret takes linear time.
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
  [/(?<![\w-])(?=[\w-]{11,}\.[\w-]{4,}\.)([\w-]*?)\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, `$1${mark}`],
  [/\b(?:sk-[\w-]{16,}|gh[pousr]_\w{20,}|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16})/g, mark],
];

/** Matches each text that may have one of these shapes; most texts do not match, and need no further check. */
const suspicious =
  /:\/\/|bearer|basic|auth|key|passw|secret|token|cookie|credential|code=|sig|eyJ|sk-|gh[pousr]_|xox|AKIA/i;
/** Number of field names that are cached. */
const maxNames = 1000;

/** A field's name without secrets. `isSecret`: the name indicates that the field's value is a secret. */
interface FieldName {
  readonly clean: string;
  readonly isSecret: boolean;
}

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
  const names = new Map<string, FieldName>();
  const fieldName = (name: string): FieldName => {
    let facts = names.get(name);
    if (facts === undefined) {
      facts = { clean: text(name), isSecret: isSecretName(name) };
      if (names.size < maxNames) names.set(name, facts);
    }
    return facts;
  };
  /** Copies only what changes. `clean` is for texts; `byName`: values of fields with secret names are removed. */
  const walk = (item: JsonValue, token: string | undefined, clean: typeof text, byName: boolean): JsonValue => {
    if (typeof item === "string") return clean(item, token);
    if (typeof item !== "object" || item === null) return item;
    const list = Array.isArray(item) ? (item as readonly JsonValue[]) : undefined;
    // Headers given as pairs of name and value.
    const isPair = clean === text && list?.length === 2 && list.every((part) => typeof part === "string");
    let copy: Record<string, JsonValue> | undefined;
    for (const name of Object.keys(item)) {
      const part = (item as JsonObject)[name] ?? null;
      const isSecret =
        list === undefined
          ? byName && part !== null && typeof part !== "boolean" && fieldName(name).isSecret
          : isPair && name === "1" && fieldName(String(list[0])).isSecret;
      const written = isSecret ? mark : walk(part, token, clean, byName);
      const named = clean === text && list === undefined ? nameOf(name, token) : name;
      if (written === part && named === name) continue;
      copy ??= (list === undefined ? { ...item } : [...list]) as Record<string, JsonValue>;
      if (named !== name) delete copy[name];
      setField(copy, named, written);
    }
    return copy ?? item;
  };
  const nameOf = (name: string, token: string | undefined): string => {
    const { clean } = fieldName(name);
    return token === undefined ? clean : text(clean, token);
  };
  return {
    text,
    fields: (item, token) => walk(item, token, text, true) as typeof item,
    known: (item, token) => walk(item, token, withoutKnown, false) as typeof item,
    event: (item, token) => walk(item, token, withoutKnown, true) as typeof item,
  };
}

/** True for the name of a field or header that holds a secret: `apiKey`, `X-Api-Key`, `refresh_token` … */
export function isSecretName(name: string): boolean {
  return secretName.test(name.toLowerCase().replace(/[^a-z0-9]/g, ""));
}

/** Returns the forms in which a secret occurs: the {@link variants}, and both alphabets of base64. */
export function codedVariants(secret: string): readonly string[] {
  const plain = variants(secret);
  const bare = secret.replace(scheme, "");
  // The base64 of a shorter secret would match ordinary words.
  if (bare.length < leastLength) return plain;
  const bytes = Buffer.from(bare);
  const coded = (["base64", "base64url"] as const).map((coding) => bytes.toString(coding).replace(/=+$/, ""));
  return [...new Set([...plain, ...coded])];
}

/** Returns the forms in which a token occurs: unchanged, without its scheme, and as part of a URL. */
function variants(secret: string): readonly string[] {
  const bare = secret.replace(scheme, "");
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
