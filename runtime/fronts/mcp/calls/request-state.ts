import type { JsonObject } from "../../../contract/contract.ts";
import { faultCodes, McpFault } from "../port/fault.ts";

/** Seconds for which a client may answer. */
const lifetime = 3600;

/** State that a client keeps for the service between a question and its answer. */
export interface RequestState {
  /** Digest that identifies the call: kind, name, arguments and caller. */
  readonly call: string;
  readonly job: string;
  readonly answers: Readonly<Record<string, JsonObject>>;
  readonly asked: Readonly<Record<string, string>>;
}

/** Signs state that clients keep, so that they cannot change it or use it for another call. */
export interface StateCodec {
  seal(state: RequestState): string;
  /**
   * Verifies a state.
   *
   * @throws McpFault `invalidParams` for a text that was not signed here, has expired, or belongs to another call
   */
  open(text: string, call: string): RequestState;
}

/**
 * Creates the codec.
 *
 * @param key Shared by all instances of a service, because one may get the answer to a question of another; default: a
 *   new key per process.
 */
export function createStateCodec(key: string | undefined, now: () => number = Date.now): StateCodec {
  const { createHash, createHmac, randomBytes, timingSafeEqual } = process.getBuiltinModule("node:crypto");
  let secret: Buffer | undefined;
  const sign = (text: string): Buffer => {
    secret ??= key === undefined ? randomBytes(32) : createHash("sha256").update(`tenon.requestState ${key}`).digest();
    return createHmac("sha256", secret).update(text).digest();
  };
  return {
    seal(state) {
      const expires = Math.floor(now() / 1000) + lifetime;
      const body = Buffer.from(JSON.stringify({ ...state, expires })).toString("base64url");
      return `${body}.${sign(body).toString("base64url")}`;
    },
    open(text, call) {
      const [body = "", signature = "", ...rest] = text.split(".");
      const given = Buffer.from(signature, "base64url");
      const right = sign(body);
      const isOurs = rest.length === 0 && given.toString("base64url") === signature && given.length === right.length;
      if (!isOurs || !timingSafeEqual(given, right)) throw invalid();
      const state = JSON.parse(Buffer.from(body, "base64url").toString("utf8")) as RequestState & {
        readonly expires: number;
      };
      if (state.call !== call || state.expires * 1000 < now()) throw invalid();
      return state;
    },
  };
}

/** Makes the error. The text is the same for every reason, so that clients do not learn which part was wrong. */
function invalid(): McpFault {
  return new McpFault(faultCodes.invalidParams, "Invalid or expired requestState", { reason: "invalid_request_state" });
}

/** Identifies a call: equal for the same function, arguments (in any order) and caller. */
export function callDigest(kind: string, name: string, args: JsonObject, owner: string | undefined): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256")
    .update(JSON.stringify([kind, name, sorted(args), owner ?? null]))
    .digest("base64url");
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [key, sorted(item)]);
  return entries.toSorted(([one], [other]) => (one < other ? -1 : 1));
}
