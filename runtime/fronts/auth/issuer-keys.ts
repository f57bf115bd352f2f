import {
  createLocalJWKSet,
  errors,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWSHeaderParameters,
  type LocalJWKSet,
} from "jose";
import { ToolError } from "../../base/errors.ts";
import { findKeysAddress, type FetchJson } from "./issuer-document.ts";

/** Milliseconds after which keys are fetched again. */
const fresh = 600_000;
/** Milliseconds that keys may be used when fetching them again fails. */
const usable = 3_600_000;
/** Minimum milliseconds between fetches for unknown keys, because anybody can name an unknown key in a token. */
const cooldown = 30_000;
/** Milliseconds between retries after a failure. */
const recovery = 5000;

export interface IssuerKeysOptions {
  readonly issuer: string;
  readonly fetchJson: FetchJson;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Called at the first failure after a success, with the failure, and at the first success after a failure. */
  readonly onChange: (failure: unknown) => void;
  /** Called with each new set of keys. */
  readonly onKeys: () => void;
}

/** The keys of the issuer: fetched on demand, cached, and fetched again when the issuer changes them. */
export class IssuerKeys {
  readonly #options: IssuerKeysOptions;
  #keys: LocalJWKSet | undefined;
  #fetchedAt = 0;
  #triedAt = 0;
  #failure: unknown;
  #pending: Promise<void> | undefined;

  constructor(options: IssuerKeysOptions) {
    this.#options = options;
  }

  /**
   * Returns the key that a token names. Throws jose's errors when there is no such key or more than one, and
   * `unavailable` when the keys cannot be fetched now.
   */
  async find(header: JWSHeaderParameters, token: FlattenedJWSInput): ReturnType<LocalJWKSet> {
    const keys = await this.#current();
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      if (this.#failure === undefined && this.#sinceTry < cooldown) throw error;
      await this.#refresh();
      if (this.#failure !== undefined) throw unavailable(this.#failure);
      return (this.#keys ?? keys)(header, token);
    }
  }

  /** Fetches the keys again, unless that was tried a moment ago. Returns true if there are new ones. */
  async renew(): Promise<boolean> {
    const before = this.#keys;
    if (this.#failure !== undefined || this.#sinceTry >= cooldown) await this.#refresh();
    return this.#keys !== before;
  }

  get #sinceTry(): number {
    return this.#options.now() - this.#triedAt;
  }

  async #current(): Promise<LocalJWKSet> {
    const age = (): number => this.#options.now() - this.#fetchedAt;
    if (this.#keys === undefined || age() > usable) await this.#refresh();
    // Nobody waits for new keys while there are usable ones: an issuer that hangs would hold up every caller.
    else if (age() > fresh) void this.#refresh();
    if (this.#keys === undefined || age() > usable) throw unavailable(this.#failure);
    return this.#keys;
  }

  /** Fetches the keys: one fetch at a time, and none shortly after a failure. Never rejects; sets `#failure`. */
  #refresh(): Promise<void> {
    if (this.#failure !== undefined && this.#sinceTry < recovery && this.#pending === undefined)
      return Promise.resolve();
    return (this.#pending ??= this.#fetch().finally(() => (this.#pending = undefined)));
  }

  async #fetch(): Promise<void> {
    const { issuer, fetchJson, now, onChange, onKeys } = this.#options;
    const before = this.#failure;
    try {
      const set = await fetchJson(await findKeysAddress(issuer, fetchJson));
      this.#keys = createLocalJWKSet(withoutWeakKeys(set as JSONWebKeySet));
      this.#fetchedAt = now();
      this.#failure = undefined;
      onKeys();
    } catch (error) {
      this.#failure = error ?? new Error("no reason given");
    }
    this.#triedAt = now();
    if ((before === undefined) !== (this.#failure === undefined)) onChange(this.#failure);
  }
}

/**
 * Removes RSA keys whose exponent is 1 or even: with exponent 1 anybody can forge a signature, and with an even
 * exponent nobody can make one. RFC 8017 requires an odd exponent from 3, but jose and Node accept any.
 */
function withoutWeakKeys(set: JSONWebKeySet): JSONWebKeySet {
  if (!Array.isArray((set as Partial<JSONWebKeySet> | null)?.keys)) return set;
  return { ...set, keys: set.keys.filter(({ kty, e }) => kty !== "RSA" || isExponent(e)) };
}

function isExponent(e: unknown): boolean {
  if (typeof e !== "string") return false;
  const bytes = Buffer.from(e, "base64url");
  const last = bytes.at(-1) ?? 0;
  const isOne = last === 1 && bytes.subarray(0, -1).every((byte) => byte === 0);
  return last % 2 === 1 && !isOne;
}

function unavailable(cause: unknown): ToolError {
  return new ToolError(
    "unavailable",
    "The authorisation server cannot be reached, so that no access token can be checked. Try again in a moment.",
    { retryAfter: recovery / 1000, cause },
  );
}
