import { readPage, type Annotation, type AnnotationPage, type Category } from "./annotation.ts";
import { retrying } from "./retrying.ts";

/** The service does not know the id. */
export class UnknownGeneProduct extends Error {}

/** The service gave no usable answer. The message is fit for callers. */
export class ServiceFailure extends Error {
  /** True when another attempt can help. */
  readonly temporary: boolean;
  /** Seconds that the service asks to wait. */
  readonly retryAfter: number | undefined;

  constructor(message: string, temporary: boolean, retryAfter?: number) {
    super(message);
    this.temporary = temporary;
    this.retryAfter = retryAfter;
  }
}

export interface FetchOptions {
  readonly category?: Category;
  readonly signal: AbortSignal;
  /** Called before each new attempt with the reason and the number of the attempt that failed, from 1. */
  readonly onRetry: (reason: string, attempt: number) => void;
}

const aspects = { BP: "biological_process", MF: "molecular_function", CC: "cellular_component" } as const;
const pageSize = 100;
/** Ends the loop when a service counts its pages wrongly. */
const maxPages = 100;
const attempts = 4;
const timeout = 10_000;

/**
 * Base URL of the annotation service, from `GO_SERVICE_URL`. There is no default: a wrong guess would look like an
 * outage.
 */
export function serviceUrl(env: NodeJS.ProcessEnv): URL {
  const base = env["GO_SERVICE_URL"] ?? "";
  const url = URL.parse(base.endsWith("/") ? base : `${base}/`);
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw new Error(
    `GO_SERVICE_URL is ${base === "" ? "not set" : `not an http URL: ${base}`}. Set it to a service that speaks QuickGO's API, ` +
      "for example https://www.ebi.ac.uk/QuickGO/services, or to the stub that `npm run stub` starts.",
  );
}

/**
 * All annotations of one gene product, page by page. Throws `UnknownGeneProduct`, `ServiceFailure` when the service
 * keeps failing, and the signal's reason when it is aborted.
 */
export async function fetchAnnotations(service: URL, id: string, options: FetchOptions): Promise<Annotation[]> {
  const annotations: Annotation[] = [];
  for (let page = 1, pages = 1; page <= Math.min(pages, maxPages); page++) {
    const answer = await retrying(() => fetchPage(service, id, page, options), { attempts, ...options });
    annotations.push(...answer.annotations);
    pages = answer.pages;
  }
  return annotations;
}

async function fetchPage(service: URL, id: string, page: number, options: FetchOptions): Promise<AnnotationPage> {
  const url = new URL("annotation/search", service);
  url.searchParams.set("geneProductId", id);
  if (options.category !== undefined) url.searchParams.set("aspect", aspects[options.category]);
  url.searchParams.set("limit", String(pageSize));
  url.searchParams.set("page", String(page));

  const { status, retryAfter, body } = await request(url, options.signal);
  if (status === 400 || status === 404) throw new UnknownGeneProduct(id);
  if (status !== 200) {
    const temporary = status === 408 || status === 429 || status >= 500;
    throw new ServiceFailure(`the annotation service answered ${status}`, temporary, retryAfter);
  }
  const answer = readPage(parse(body));
  if (answer === undefined)
    throw new ServiceFailure("the annotation service answered something else than annotations", false);
  return answer;
}

interface Reply {
  readonly status: number;
  readonly retryAfter: number | undefined;
  readonly body: string;
}

async function request(url: URL, signal: AbortSignal): Promise<Reply> {
  const deadline = AbortSignal.timeout(timeout);
  try {
    const response = await fetch(url, {
      headers: { accept: "application/json" },
      signal: AbortSignal.any([signal, deadline]),
    });
    return {
      status: response.status,
      retryAfter: seconds(response.headers.get("retry-after")),
      body: await response.text(),
    };
  } catch (error) {
    signal.throwIfAborted();
    if (deadline.aborted)
      throw new ServiceFailure(`the annotation service did not answer within ${timeout / 1000} s`, true);
    throw new ServiceFailure(`the annotation service cannot be reached${because(error)}`, true);
  }
}

/** The system's code of a failed connection, for example `ECONNREFUSED`; `fetch` itself only says "fetch failed". */
function because(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
}

/** `Retry-After` in seconds; its other form, a date, is rare and counts as absent. */
function seconds(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
