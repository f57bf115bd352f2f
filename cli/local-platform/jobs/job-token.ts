import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { jobUrnPrefix } from "../../../runtime/job/job-id.ts";
import type { Lease } from "../../../runtime/executor/store/job-store.ts";

/** The content of a job's token: one attempt of one job. */
export interface HeldJob {
  readonly lease: Lease;
  /** Key of the service that the job belongs to. */
  readonly service: string;
  /** Number of the last event of earlier attempts; the numbering continues after it. */
  readonly lastSequence: number;
}

const form = /^Bearer tpj_([\w-]{1,600})\.([\w-]{43})$/;

/** Maximum number of cached tokens. */
const maxRunning = 10_000;

/** Matches texts in the form of the platform's tokens. */
export const anyToken: RegExp = /tpj_[\w-]+\.[\w-]{43}|tpo_[\w-]{43}/g;

/**
 * Signs and verifies the tokens of jobs. A token identifies one attempt, so a worker whose attempt is outdated is
 * refused, even if it sends no lease headers. Tokens are not stored, so they stay valid across a restart.
 */
export class JobTokens {
  readonly #secret: string;
  /** Cache of the tokens of running jobs, so that most tokens need no verification. */
  readonly #running = new Map<string, HeldJob>();

  /**
   * Creates the tokens of a platform.
   *
   * @param isShared True if replicas share the secret: then they also share the operator's token
   */
  constructor(secret: Buffer, isShared = false) {
    this.#secret = secret.toString("hex");
    this.operator = `Bearer tpo_${isShared ? this.#mac("operator") : randomBytes(32).toString("base64url")}`;
  }

  /**
   * Value of `Authorization` for the operator of the platform, who has full access; whoever can read the platform's
   * folder knows it. It is random at each start, so that it is worthless after the platform has ended. If replicas
   * share a secret, it is derived from this secret.
   */
  readonly operator: string;

  /** Value of `Authorization`. */
  sign(held: HeldJob): string {
    const { lease, service, lastSequence } = held;
    const id = lease.id.slice(jobUrnPrefix.length);
    const payload = Buffer.from(`${id}\n${lease.attempt}\n${lease.token}\n${service}\n${lastSequence}`).toString(
      "base64url",
    );
    const token = `Bearer tpj_${payload}.${this.#mac(payload)}`;
    if (this.#running.size >= maxRunning) this.#running.clear();
    this.#running.set(token, held);
    return token;
  }

  isOperator(header: string): boolean {
    const own = Buffer.from(this.operator);
    const given = Buffer.from(header);
    return own.length === given.length && timingSafeEqual(own, given);
  }

  /** Called when the job has ended: its token remains valid, but is no longer cached. */
  forget(header: string | undefined): void {
    if (header !== undefined) this.#running.delete(header);
  }

  /** Verifies a token; undefined for a text that was not signed here. */
  read(header: string): HeldJob | undefined {
    const running = this.#running.get(header);
    if (running !== undefined) return running;
    const [, payload = "", mac = ""] = form.exec(header) ?? [];
    if (payload === "" || !timingSafeEqual(Buffer.from(mac), Buffer.from(this.#mac(payload)))) return undefined;
    const [id = "", attempt, token = "", service = "", last] = Buffer.from(payload, "base64url").toString().split("\n");
    return {
      lease: { id: `${jobUrnPrefix}${id}`, attempt: Number(attempt), token },
      service,
      lastSequence: Number(last),
    };
  }

  // HMAC by two one-shot hashes: an Hmac object costs more than the rest of a request.
  #mac(payload: string): string {
    const inner = hash("sha256", `${this.#secret}1${payload}`, "hex");
    return hash("sha256", `${this.#secret}2${inner}`, "base64url");
  }
}

/**
 * Loads the secret of the folder. It is created at the first start and then stored, so that tokens of running jobs stay
 * valid across a restart.
 */
export function loadSecret(folder: string): Buffer {
  const file = join(folder, "secret");
  try {
    const known = readFileSync(file);
    if (known.length === 32) return known;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const secret = randomBytes(32);
  const handle = openSync(file, "w", 0o600);
  writeSync(handle, secret);
  fsyncSync(handle);
  closeSync(handle);
  return secret;
}
