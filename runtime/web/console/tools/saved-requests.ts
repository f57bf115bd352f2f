import { asRecord, parseJson, toJson } from "../base/json.ts";

/** Names of fields whose values leave the form only in a call. */
const secret = /passw|passphrase|secret|token|credential|api.?key|authori[sz]ation/i;

/** A request as JSON, without the fields that are named like secrets. */
export function withoutSecrets(request: unknown): string {
  return JSON.stringify(request, (key, value: unknown) => (secret.test(key) ? undefined : value));
}

/** Requests as JSON, by the names that somebody gave them. */
export type SavedRequests = Readonly<Record<string, unknown>>;

/** The requests of a tool that this browser has saved; none where it saves nothing. */
export function readSaved(draft: string): SavedRequests {
  try {
    return asRecord(parseJson(localStorage.getItem(keyOf(draft)) ?? ""));
  } catch {
    return {};
  }
}

/** Saves the requests of a tool in place of those before. Throws where the browser saves nothing. */
export function writeSaved(draft: string, saved: SavedRequests): void {
  localStorage.setItem(keyOf(draft), toJson(saved));
}

/** Services may stand side by side on one host. */
function keyOf(draft: string): string {
  return location.pathname + draft;
}
