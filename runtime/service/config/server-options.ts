import type { AuthOptions } from "./auth-config.ts";

/** Options of the server that come from the entry. */
export interface ServerOptions {
  readonly host?: string;
  /** 0: any free one. */
  readonly port?: number;
  /** Status of an answer without a result; default 202, and 204 for platforms that expect it. */
  readonly deferredStatus?: 202 | 204;
  /** Bytes that a request body may have. Env `TENON_BODY_LIMIT`, default 1 MiB. */
  readonly bodyLimit?: number;
  /** Callers need an access token of an OAuth 2.1 authorisation server; what is left out comes from `TENON_AUTH_*`. */
  readonly auth?: AuthOptions;
}
