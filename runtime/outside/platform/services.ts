import { randomUUID } from "node:crypto";
import { mapEach } from "./aspects.ts";
import { listPages } from "./sidecar/list-pages.ts";
import { apiPath, jsonOf, type PlatformApi } from "./sidecar/platform-api.ts";
import { AmbiguousRequestError, PlatformError, ResourceNotFoundError } from "./sidecar/platform-errors.ts";
import { createServiceJob, readResult, type ServiceJob } from "./service-job.ts";

/** The platform's record of a service. */
export interface ServiceRecord {
  readonly urn: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
}

export interface JobRequestOptions {
  /** Seconds that the platform waits for the result before it answers; default 0. */
  readonly timeout?: number;
}

/** A service of the platform. */
export interface PlatformService extends ServiceRecord {
  /**
   * Requests a job of the service.
   * @param data The request, an object that JSON can hold
   */
  requestJob(data: object, options?: JobRequestOptions): Promise<ServiceJob>;
  /** A job of the service that was requested before. */
  job(urn: string): ServiceJob;
}

export interface ServiceFilter {
  /** Filter in the platform's filter language, for example `name~='prime'`. */
  readonly filter?: string;
  readonly orderBy?: string;
  readonly orderDesc?: boolean;
  /** Lists the services that existed at that time; default: now. */
  readonly atTime?: Date;
  /** Maximum number of services; default all. Pages are fetched on demand. */
  readonly limit?: number;
}

/** The operations on services. */
export interface Services {
  list(filter?: ServiceFilter): AsyncIterable<PlatformService>;
  /** Returns a service without a request: whether it exists is checked when it is called. */
  get(urn: string): PlatformService;
  byName(name: string): Promise<PlatformService>;
}

/** Maximum seconds of one request; after that the job is polled. */
const longestWait = 3600;
/** Maximum number of names in an error. */
const maxNames = 5;

/** Creates the operations on services of the platform. */
export function createServices(api: PlatformApi): Services {
  const withMethods = (record: ServiceRecord): PlatformService => ({
    ...record,
    job: (urn) => createServiceJob(api, record.urn, { urn, status: "unknown" }),
    requestJob: (data, options) => requestJob(api, record.urn, data, options),
  });
  const list: Services["list"] = ({ filter, orderBy, orderDesc = false, atTime, limit } = {}) => {
    const operation = "list services";
    const query = { filter, "order-by": orderBy, "order-desc": orderDesc, "at-time": atTime?.toISOString() };
    const pages = listPages(api, operation, ["services2"], query, limit);
    return mapEach(pages, (item) => withMethods(readService(operation, item)));
  };
  return {
    list,
    get: (urn) => withMethods({ urn }),
    async byName(name) {
      const operation = `get service ${JSON.stringify(name)}`;
      const similar: string[] = [];
      const found: PlatformService[] = [];
      // Filtered again, since the platform's `~=` also matches similar names.
      for await (const service of list({ filter: `name~='${name.replaceAll("'", "''")}'` })) {
        if (service.name === name) found.push(service);
        else if (service.name !== undefined && similar.length < maxNames) similar.push(service.name);
      }
      const [only] = found;
      if (only === undefined) {
        const hint = similar.length === 0 ? "listServices() tells all names." : `Similar ones: ${similar.join(", ")}.`;
        throw new ResourceNotFoundError(operation, `there is no service of that name. ${hint}`);
      }
      if (found.length === 1) return only;
      const urns = found.map(({ urn }) => urn);
      const shown = urns.slice(0, maxNames).join(", ");
      const problem = `${found.length} services have that name. Choose one by getService(urn): ${shown}.`;
      throw new AmbiguousRequestError(operation, problem, urns);
    },
  };
}

async function requestJob(
  api: PlatformApi,
  service: string,
  data: object,
  { timeout = 0 }: JobRequestOptions = {},
): Promise<ServiceJob> {
  if (!(timeout >= 0 && timeout <= longestWait)) {
    throw new TypeError(`timeout must be a number of seconds from 0 to ${longestWait}.`);
  }
  if (typeof data !== "object" || data === null) throw new TypeError("The request of a job must be an object.");
  const operation = `request a job of service ${service}`;
  const answer = await api.call({
    operation,
    method: "POST",
    path: apiPath(["services2", service, "jobs"]),
    headers: {
      "Content-Type": "application/json",
      Timeout: String(Math.ceil(timeout)),
      // The idempotency key prevents a second job: a request whose answer was lost is retried.
      "Idempotency-Key": randomUUID(),
    },
    body: JSON.stringify(data),
    timeout: (timeout + 60) * 1000,
  });
  const header = answer.headers["platform-job-id"] ?? answer.headers["job-id"];
  const id = typeof header === "string" && header !== "" ? header : undefined;
  if (answer.status === 200) {
    const result = readResult(answer.body, answer.headers["content-type"]);
    return createServiceJob(api, service, { urn: id ?? "urn:platform:job:unknown", status: "succeeded", result });
  }
  const body = answer.body.length === 0 ? {} : jsonOf(operation, answer);
  const urn = typeof body["job-id"] === "string" ? body["job-id"] : (id ?? idOf(answer.headers.location));
  if (urn === undefined) {
    throw new PlatformError(operation, `the platform answered ${answer.status} without the id of a job.`);
  }
  const later = Number(body["retry-later"] ?? answer.headers["retry-later"] ?? answer.headers["retry-after"]);
  return createServiceJob(api, service, { urn, status: "pending", retryLater: later > 0 ? later : undefined });
}

function readService(operation: string, item: Readonly<Record<string, unknown>>): ServiceRecord {
  const { id, name, description } = item;
  if (typeof id !== "string") throw new PlatformError(operation, "the platform's answer has a service without id.");
  return {
    urn: id,
    name: typeof name === "string" ? name : undefined,
    description: typeof description === "string" ? description : undefined,
  };
}

function idOf(location: string | undefined): string | undefined {
  const last = /\/jobs\/([^/?#]+)/.exec(location ?? "")?.[1];
  try {
    return last === undefined ? undefined : decodeURIComponent(last);
  } catch {
    return undefined;
  }
}
