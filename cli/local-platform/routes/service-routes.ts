import { ToolError } from "../../../runtime/base/errors.ts";
import { parseJsonBody } from "../../../runtime/fronts/http/parse-json.ts";
import type { Exchange } from "./exchange.ts";
import { readFilter } from "../stored/filter.ts";
import { callerOf, refuseJobs } from "./job-access.ts";
import type { JobRoutes } from "./job-routes.ts";
import { readPage, sendPage } from "./pages.ts";
import { answerSchedules, type ScheduleRouteOptions } from "./schedule-routes.ts";
import { serviceKey } from "../../../runtime/contract/definition/service-key.ts";
import { isMadeByWorker, type RegisteredService } from "../services/known-services.ts";
import type { ServiceRegistry } from "../services/service-registry.ts";

const maxDefinitionBytes = 4 * 1024 * 1024;

export interface ServiceRouteOptions extends ScheduleRouteOptions {
  readonly services: ServiceRegistry;
  readonly jobs: JobRoutes;
}

/** Handlers of `/services2`: the services, and their jobs. */
export class ServiceRoutes {
  readonly #options: ServiceRouteOptions;

  constructor(options: ServiceRouteOptions) {
    this.#options = options;
  }

  async handle(exchange: Exchange): Promise<void> {
    const { services, jobs } = this.#options;
    const [, name, part, id, below] = exchange.segments;
    const { method } = exchange;
    if (name === undefined) {
      if (method === "GET") return list(exchange, services.all);
      if (method === "POST") return this.#register(exchange, undefined);
      throw new ToolError("method-not-allowed", "Use GET or POST here.");
    }
    if (part === undefined && method === "PUT") return this.#register(exchange, name);
    const service = await services.get(name);
    if (part === undefined && method === "GET") return exchange.json(200, describe(service, true));
    if (part === "schedules") return answerSchedules(exchange, service, this.#options);
    if (part !== "jobs") throw new ToolError("not-found", "A service has nothing but its jobs and its schedules.");
    if (id !== undefined) return jobs.one(exchange, id, below, service);
    if (method === "POST") return jobs.submit(exchange, service);
    return jobs.list(exchange, service);
  }

  /** Registers a service definition, with `url` for a service that is called over REST. */
  async #register(exchange: Exchange, name: string | undefined): Promise<void> {
    const { services, tokens } = this.#options;
    refuseJobs(callerOf(exchange, tokens));
    const body = parseJsonBody(await exchange.body(maxDefinitionBytes));
    if (typeof body !== "object" || body === null || Array.isArray(body)) {
      throw new ToolError("bad-request", "A service definition is a JSON object.");
    }
    const { url, ...definition } = body as Readonly<Record<string, unknown>>;
    if (url !== undefined && typeof url !== "string") throw new ToolError("bad-request", "url must be text.");
    const known = name === undefined ? undefined : await services.findNow(name);
    const named = name === undefined ? {} : { name: known?.name ?? name };
    const key = known?.key ?? name;
    const service = await services.register({ definition: { ...named, ...definition }, url, key });
    exchange.json(name === undefined ? 201 : 200, describe(service, false), ["Location", `/services2/${service.key}`]);
  }
}

function list(exchange: Exchange, all: readonly RegisteredService[]): void {
  const page = readPage(exchange);
  const order = exchange.query("order-by") ?? "name";
  if (order !== "name" && order !== "id") {
    throw new ToolError("bad-request", `Services can be ordered by name or id, not by ${order.slice(0, 50)}.`);
  }
  const sign = exchange.query("order-desc") === "true" ? -1 : 1;
  const matches = filterOf(exchange.query("filter"));
  const placeOf = ({ name, urn }: RegisteredService): string => (order === "id" ? urn : name);
  const found = all.filter(matches).toSorted((one, other) => sign * (placeOf(one) < placeOf(other) ? -1 : 1));
  const withDefinition = exchange.query("with-definition") === "true";
  const start = page.before ?? 0;
  const rows = found.slice(start, start + page.limit + 1);
  sendPage(
    exchange,
    "services2",
    page,
    rows.map((service, index) => ({ seq: start + index + 1, item: describe(service, withDefinition) })),
  );
}

function filterOf(filter: string | undefined): (service: RegisteredService) => boolean {
  const conditions = readFilter(filter, ["name"]);
  return (service) =>
    conditions.every(({ operator, text }) => (operator === "=" ? service.name === text : isLike(service, text)));
}

function isLike(service: RegisteredService, text: string): boolean {
  if (service.name.toLowerCase().includes(text.toLowerCase())) return true;
  // True for a service that a worker's request has created: its real name is not known, but would have this key.
  return isMadeByWorker(service) && service.key === serviceKey(text);
}

function describe({ key, urn, name, definition, url }: RegisteredService, whole: boolean): object {
  const { description } = definition;
  return {
    id: urn,
    key,
    name,
    status: "active",
    ...(typeof description === "string" && { description }),
    ...(url !== undefined && { url }),
    ...(whole && { definition }),
    links: [{ rel: "jobs", href: `/services2/${key}/jobs` }],
  };
}
