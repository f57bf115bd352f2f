import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { jobUrnPrefix } from "../../../runtime/job/job-id.ts";
import type { Lease } from "../../../runtime/executor/store/job-store.ts";

/** What a job's token stands for: one attempt of one job. */
export interface HeldJob {
  readonly lease: Lease;
  /** Key of the service that the job belongs to. */
  readonly service: string;
  /** Number of the last event of earlier attempts; this one's go on from there. */
  readonly lastSequence: number;
}

const form = /^Bearer tpj_([\w-]{1,600})\.([\w-]{43})$/;

/** Tokens that are kept at hand. */
const maxRunning = 10_000;

/** Anything that looks like one of our tokens, wherever it stands. */
export const anyToken: RegExp = /tpj_[\w-]+\.[\w-]{43}|tpo_[\w-]{43}/g;

/**
 * Signs and reads the tokens of jobs. A token names its attempt, so that a worker that echoes nothing but the token is
 * fenced like one that echoes the lease headers; nothing of it is kept, so that tokens outlive a restart.
 */
export class JobTokens {
  readonly #secret: string;
  /** Tokens of jobs that run, so that most are read without any arithmetic. */
  readonly #running = new Map<string, HeldJob>();

  constructor(secret: Buffer) {
    this.#secret = secret.toString("hex");
  }

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

  /** Value of `Authorization` for whoever runs the platform: who can read its folder is let in everywhere. */
  operator(): string {
    return `Bearer tpo_${this.#mac("operator")}`;
  }

  isOperator(header: string): boolean {
    const own = Buffer.from(this.operator());
    const given = Buffer.from(header);
    return own.length === given.length && timingSafeEqual(own, given);
  }

  /** The job has ended: its token stays good, and is no longer at hand. */
  forget(header: string | undefined): void {
    if (header !== undefined) this.#running.delete(header);
  }

  /** Undefined for anything that was not signed here. */
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

  // HMAC's two passes with one-shot hashes: an Hmac object costs more than all else of a request.
  #mac(payload: string): string {
    const inner = hash("sha256", `${this.#secret}1${payload}`, "hex");
    return hash("sha256", `${this.#secret}2${inner}`, "base64url");
  }
}

/** The folder's own secret, made at the first start: tokens of running jobs stay good when the platform starts again. */
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
