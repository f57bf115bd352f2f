import { ToolError } from "../../../base/errors.ts";
import type { AccessRules } from "./access-rules.ts";
import type { Answer } from "../answer.ts";
import type { Cors } from "./cors.ts";
import type { Exchange, Handler, Admission, Gate } from "../exchange.ts";
import { failureAnswer } from "../failure-answer.ts";

/** The routes of a service. All requests pass the same checks. */
export interface RouteTable {
  /** Handlers by exact raw path; they answer every method. */
  readonly routes: ReadonlyMap<string, Handler>;
  /** Answers requests to all other paths. */
  readonly fallback: Handler;
  /** Runs before all handlers, if authorisation or a limit is configured. */
  readonly gate?: Gate | undefined;
  /** Makes the answer for an error on a path, in the format of the path's protocol; default: a problem (RFC 9457). */
  readonly refuse?: ((thrown: unknown, path: string) => Answer) | undefined;
}

/** Paths of probes, which send no credentials and often an unexpected Host. */
export const healthPaths: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/_healtz"]);

/** Paths of pages for people; the pages call the service. */
const pagePaths: ReadonlySet<string> = new Set(["/", "/docs"]);

/** Paths that need no token unless a tool has the path: a page contains no data of the service. */
export const openPaths: ReadonlySet<string> = new Set([...healthPaths, ...pagePaths]);

/** Takes every request of a service. Never throws. */
export type ExchangeHandler = (exchange: Exchange) => void;

/**
 * Makes the middleware in front of every route. It checks Host and Origin, answers preflights of listed origins, admits
 * the caller, finds the handler, and turns its exceptions into answers.
 *
 * @param service A reload replaces its `core`.
 * @param cors Set if origins are listed.
 */
export function middleware(service: { readonly core: RouteTable }, access: AccessRules, cors?: Cors): ExchangeHandler {
  return (exchange) => {
    const { path } = exchange;
    const { routes, fallback, gate, refuse = asFailure } = service.core;
    try {
      const hot = routes.get(path);
      const refusal = access(exchange.host, exchange.header("origin"), hot === undefined ? kindOf(path) : undefined);
      if (refusal !== undefined) throw new ToolError("forbidden", refusal);
      if (cors !== undefined && answersCors(cors, exchange)) return;
      const handle = hot ?? fallback;
      if (gate === undefined) handle(exchange, undefined);
      else pass(gate, exchange, handle, refuse);
    } catch (thrown) {
      exchange.answer(refuse(thrown, path));
    }
  };
}

function pass(gate: Gate, exchange: Exchange, handle: Handler, refuse: NonNullable<RouteTable["refuse"]>): void {
  const go = (admission: Admission): void => {
    if (admission.answer === undefined) handle(exchange, admission.caller);
    else exchange.answer(admission.answer);
  };
  const admission = gate(exchange);
  if (admission instanceof Promise)
    admission.then(go).catch((thrown: unknown) => exchange.answer(refuse(thrown, exchange.path)));
  else go(admission);
}

function asFailure(thrown: unknown): Answer {
  return failureAnswer(thrown);
}

function kindOf(path: string): "health" | "page" | undefined {
  if (healthPaths.has(path)) return "health";
  return pagePaths.has(path) ? "page" : undefined;
}

/**
 * Adds the headers that allow a page of a listed origin to read the answer. Returns true for a preflight, which is then
 * answered.
 */
function answersCors(cors: Cors, exchange: Exchange): boolean {
  const { headers, isPreflight } = cors({
    method: exchange.method,
    origin: exchange.header("origin"),
    askedMethod: exchange.header("access-control-request-method"),
    askedHeaders: exchange.header("access-control-request-headers"),
  });
  if (isPreflight) exchange.answer({ status: 204, headers, body: undefined });
  else exchange.addHeaders(headers);
  return isPreflight;
}
