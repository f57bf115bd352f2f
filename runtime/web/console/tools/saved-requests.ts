import { asRecord, parseJson, toJson } from "../base/json.ts";

/** Names of secret fields, whose values are sent only in a call. */
const secret = /passw|passphrase|secret|token|credential|api.?key|authori[sz]ation/i;

/** A request as JSON, without fields whose names indicate a secret. */
export function withoutSecrets(request: unknown): string {
  return JSON.stringify(request, (key, value: unknown) => (secret.test(key) ? undefined : value));
}

/** Requests as JSON, by the names that the user gave them. */
export type SavedRequests = Readonly<Record<string, unknown>>;

/** The saved requests of a tool in this browser; empty if the browser does not allow storage. */
export function readSaved(draft: string): SavedRequests {
  try {
    return asRecord(parseJson(localStorage.getItem(keyOf(draft)) ?? ""));
  } catch {
    return {};
  }
}

/** Replaces the saved requests of a tool. Throws if the browser does not allow storage. */
export function writeSaved(draft: string, saved: SavedRequests): void {
  localStorage.setItem(keyOf(draft), toJson(saved));
}

/** Makes the key of saved requests. It contains the page's path, since several services may share a host. */
function keyOf(draft: string): string {
  return location.pathname + draft;
}
