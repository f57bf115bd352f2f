import type http from "node:http";

/** The clients as the harness uses them. Types are loose: two majors of undici and five packages, one shape each. */
export interface Clients {
  readonly undici7: Undici;
  readonly undici8: Undici;
  readonly axios: Axios;
  readonly got: (url: string, options?: object) => Promise<{ body: string }>;
  readonly ky: (url: string, options?: object) => Promise<{ text: () => Promise<string> }>;
  readonly nodeFetch: typeof fetch;
  readonly http: typeof http;
  /** A named import, taken before the runtime started. */
  readonly namedRequest: typeof http.request;
  /** `const f = fetch`, taken before the runtime started. */
  readonly keptFetch: typeof fetch;
}

export type Dispatcher = { readonly __dispatcher?: true };
type Interceptor = (
  dispatch: (options: object, handler: object) => boolean,
) => (options: object, handler: object) => boolean;
type Body = { text: () => Promise<string>; dump: () => Promise<void> };
export type Composable = Dispatcher & {
  compose: (...interceptors: Interceptor[]) => Composable;
  dispatch: (options: object, handler: object) => boolean;
  request: (options: object) => Promise<{ statusCode: number; body: Body }>;
  close: () => Promise<void>;
};

export interface Undici {
  readonly fetch: typeof fetch;
  readonly request: (url: string, options?: object) => Promise<{ statusCode: number; body: Body }>;
  readonly stream: (url: string, options: object, factory: () => NodeJS.WritableStream) => Promise<unknown>;
  readonly Dispatcher: new () => Composable;
  readonly Agent: new (options?: object) => Composable;
  readonly Pool: new (origin: string, options?: object) => Composable;
  readonly Client: new (origin: string, options?: object) => Composable;
  readonly BalancedPool: new (origins: string[], options?: object) => Composable;
  readonly RetryAgent: new (inner: Dispatcher, options?: object) => Composable;
  readonly ProxyAgent: new (uri: string) => Composable;
  readonly EnvHttpProxyAgent: new (options?: object) => Composable;
  readonly interceptors: {
    retry: (options?: object) => Interceptor;
    redirect: (options?: object) => Interceptor;
    dns: (options?: object) => Interceptor;
  };
}

interface Axios {
  get: (url: string, options?: object) => Promise<{ data: unknown }>;
  post: (url: string, data: unknown, options?: object) => Promise<{ data: unknown }>;
}
