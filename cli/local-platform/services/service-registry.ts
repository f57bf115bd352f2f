import { ToolError } from "../../../runtime/base/errors.ts";
import { serviceKey } from "../../../runtime/contract/definition/service-key.ts";
import type { PlatformTables, Query } from "../stored/platform-tables.ts";
import { isMadeByWorker, KnownServices, urnPrefix, type RegisteredService } from "./known-services.ts";
import { toolForContent } from "./service-tools.ts";

export interface NewService {
  /** The service definition (service.json), or at least its `name`. */
  readonly definition: Readonly<Record<string, unknown>>;
  /** Base URL of a REST service. */
  readonly url?: string | undefined;
  /** Key of the service; default, also for one that no service can have: made of its name. */
  readonly key?: string | undefined;
}

interface Row {
  readonly key: string;
  readonly urn: string;
  readonly name: string;
  readonly definition: string;
  readonly url: string | null;
}

const defaultKey = "default";
const legalUrn = /^urn:[a-z0-9][a-z0-9-]{0,31}:[\w.~:@%+-]{1,200}$/i;
const legalKey = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;
/** Milliseconds between two polls of the services that other replicas have registered. */
const lookEvery = 2000;

/** The services of the platform, which survive restarts. Each replica caches the tables that all replicas share. */
export class ServiceRegistry {
  readonly #tables: PlatformTables;
  readonly #services = new KnownServices();
  readonly #isReserved: (key: string) => boolean;
  readonly #listeners = new Set<(service: RegisteredService) => void>();
  #looking: NodeJS.Timeout | undefined;
  #read: Promise<void> | undefined;

  /**
   * Opens the registry.
   *
   * @param isReserved True for a key that would hide a route of the platform
   */
  static async open(tables: PlatformTables, isReserved: (key: string) => boolean): Promise<ServiceRegistry> {
    const registry = new ServiceRegistry(tables, isReserved);
    await registry.#readAll(tables.query);
    if (tables.isShared)
      registry.#looking = setInterval(() => void registry.#look().catch(() => {}), lookEvery).unref();
    return registry;
  }

  private constructor(tables: PlatformTables, isReserved: (key: string) => boolean) {
    this.#tables = tables;
    this.#isReserved = isReserved;
  }

  get all(): readonly RegisteredService[] {
    return this.#services.all;
  }

  /** Calls `listener` for every service that is registered or changed later. Returns a function that unsubscribes. */
  onChange(listener: (service: RegisteredService) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Finds a service like {@link KnownServices.find}. A service that another replica has registered in the last seconds
   * may be missing.
   */
  find(name: string): RegisteredService | undefined {
    return this.#services.find(name);
  }

  /** Finds a service like {@link find}, but also searches the tables for it. */
  async findNow(name: string): Promise<RegisteredService | undefined> {
    const known = this.find(name);
    if (known !== undefined || !this.#tables.isShared) return known;
    await this.#look();
    return this.find(name);
  }

  /** Finds a service, also in the tables. Throws `not-found`, with the known names. */
  async get(name: string): Promise<RegisteredService> {
    return (await this.findNow(name)) ?? this.known(name);
  }

  /** A service that this process knows. Throws `not-found`, with the known names. */
  known(name: string): RegisteredService {
    return this.#services.named(name);
  }

  /**
   * Returns the service whose jobs a worker fetches. An unknown name creates the service. Without a name, the only
   * service is meant. Throws `bad-request`.
   */
  async forWorker(name: string | undefined): Promise<RegisteredService> {
    if (name !== undefined) {
      const known = await this.findNow(name);
      if (known !== undefined) return known;
      if (!this.#isLegal(name)) {
        throw new ToolError(
          "bad-request",
          `${JSON.stringify(name.slice(0, 100))} cannot be a service: use lower-case letters, digits and hyphens in PLATFORM_BASE_URL.`,
        );
      }
      return this.register({ definition: { name } });
    }
    if (this.all.length === 0 && this.#tables.isShared) await this.#look();
    const [first, ...more] = this.all;
    if (first === undefined) return this.register({ definition: { name: defaultKey } });
    if (more.length === 0) return first;
    throw new ToolError(
      "bad-request",
      `There are several services, so PLATFORM_BASE_URL must name one: end it with /${first.key}, for example.`,
    );
  }

  /** Adds a service, or updates a known one. Throws `bad-request`. */
  async register({ definition, url, key: wanted }: NewService): Promise<RegisteredService> {
    const { name } = definition;
    if (typeof name !== "string" || name.trim() === "" || name.length > 200) {
      throw new ToolError("bad-request", "A service definition needs a name.");
    }
    if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
      throw new ToolError("bad-request", `The service's url ${JSON.stringify(url.slice(0, 200))} is not an http URL.`);
    }
    const id = definition["$id"];
    const given = typeof id === "string" && legalUrn.test(id) ? id : undefined;
    const service = await this.#tables.exclusively(async (query) => {
      if (this.#tables.isShared) await this.#readAll(query);
      const key = wanted !== undefined && this.#isLegal(wanted) ? wanted : this.#keyFor(name, given);
      const urn = given ?? urnPrefix + key;
      const other = this.#services.withUrn(urn);
      if (other !== undefined && other.key !== key) {
        throw new ToolError("bad-request", `${urn} is the id of the service ${other.key} already.`);
      }
      await query(
        "INSERT INTO {services} (key, urn, name, definition, url) VALUES (?, ?, ?, ?, ?) " +
          "ON CONFLICT (key) DO UPDATE SET urn = excluded.urn, name = excluded.name, definition = excluded.definition, url = excluded.url",
        key,
        urn,
        name,
        JSON.stringify(definition),
        url ?? null,
      );
      return { key, urn, name, definition, url };
    });
    this.#services.keep(service);
    for (const listener of this.#listeners) listener(service);
    return service;
  }

  /** Stops polling for services that other replicas register. */
  close(): void {
    clearInterval(this.#looking);
  }

  /** Reads what other replicas have registered; several calls share one read. */
  #look(): Promise<void> {
    this.#read ??= this.#readAll(this.#tables.query).finally(() => (this.#read = undefined));
    return this.#read;
  }

  async #readAll(query: Query): Promise<void> {
    for (const row of await query<Row>("SELECT * FROM {services}")) {
      const known = this.#services.withKey(row.key);
      const url = row.url ?? undefined;
      const isKnown =
        known?.urn === row.urn && known.url === url && JSON.stringify(known.definition) === row.definition;
      if (isKnown) continue;
      const service = { ...row, definition: JSON.parse(row.definition) as Record<string, unknown>, url };
      this.#services.keep(service);
      for (const listener of this.#listeners) listener(service);
    }
  }

  #isLegal(key: string): boolean {
    return legalKey.test(key) && !this.#isReserved(key);
  }

  /** Returns the key for a service: a known service with this id or name keeps its key. */
  #keyFor(name: string, urn: string | undefined): string {
    const known = (urn === undefined ? undefined : this.#services.withUrn(urn)) ?? this.find(name);
    if (known !== undefined && (urn === undefined || known.urn === urn || known.urn === urnPrefix + known.key)) {
      return known.key;
    }
    const plain = serviceKey(name);
    const base = this.#isReserved(plain) ? `${plain}-service` : plain;
    // A service that a worker's request has created gets this definition, since the worker may have come first.
    const made = this.#services.withKey(base);
    if (made !== undefined && isMadeByWorker(made)) return base;
    for (let n = 1; ; n++) {
      const key = n === 1 ? base : `${base}-${n}`;
      if (this.#services.withKey(key) === undefined) return key;
    }
  }
}

/** Path of the tool for a request, if the service is called over REST. */
export function toolPath(service: RegisteredService, text: string, name: string | undefined): string | undefined {
  return service.url === undefined ? undefined : toolForContent(service.definition, text, name);
}
