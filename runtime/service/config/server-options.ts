import type { AuthOptions } from "./auth-config.ts";

/** Options of the server, given in the entry. */
export interface ServerOptions {
  readonly host?: string;
  /** Port to listen on; 0: any free port. */
  readonly port?: number;
  /** Status of an answer without a result; default 202. Some platforms expect 204. */
  readonly deferredStatus?: 202 | 204;
  /** Maximum size of a request body in bytes; default 1 MiB. */
  readonly bodyLimit?: number;
  /** Requires an access token of an OAuth 2.1 authorisation server. Defaults come from `TENON_AUTH_*`. */
  readonly auth?: AuthOptions;
}
