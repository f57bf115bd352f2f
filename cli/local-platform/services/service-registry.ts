import { ToolError } from "../../../runtime/base/errors.ts";
import { serviceKey } from "../../../runtime/contract/definition/service-key.ts";
import type { PlatformTables, Query } from "../stored/platform-tables.ts";
import { toolForContent } from "./service-tools.ts";

/** A service that the platform knows. */
export interface RegisteredService {
  /** Its part of the base URL, and the name of its queue: letters, digits and hyphens. */
  readonly key: string;
  readonly urn: string;
  readonly name: string;
  /** The service definition, as far as known. */
  readonly definition: Readonly<Record<string, unknown>>;
  /** Its REST address; undefined: its workers fetch their jobs. */
  readonly url: string | undefined;
}

export interface NewService {
  /** The service definition (service.json), or at least its `name`. */
  readonly definition: Readonly<Record<string, unknown>>;
  /** Base URL of a REST service. */
  readonly url?: string | undefined;
}

interface Row {
  readonly key: string;
  readonly urn: string;
  readonly name: string;
  readonly definition: string;
  readonly url: string | null;
}

const urnPrefix = "urn:platform:service:";
const defaultKey = "default";
const legalUrn = /^urn:[a-z0-9][a-z0-9-]{0,31}:[\w.~:@%+-]{1,200}$/i;
const legalKey = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;
/** Milliseconds between two looks at what other replicas have registered. */
const lookEvery = 2000;

/** The services of the platform, kept across restarts; a copy of what the tables have, which replicas share. */
export class ServiceRegistry {
  readonly #tables: PlatformTables;
  readonly #services = new Map<string, RegisteredService>();
  readonly #byUrn = new Map<string, RegisteredService>();
  readonly #isReserved: (key: string) => boolean;
  readonly #listeners = new Set<(service: RegisteredService) => void>();
  #looking: NodeJS.Timeout | undefined;
  #read: Promise<void> | undefined;

  /** @param isReserved True for a key that would hide a route of the platform */
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
    return [...this.#services.values()];
  }

  /** Calls `listener` for every service that is registered or changed later. Returns a function that unsubscribes. */
  onChange(listener: (service: RegisteredService) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** By key, URN, bare id or name. What another replica has registered in the last seconds may be missing. */
  find(name: string): RegisteredService | undefined {
    return (
      this.#services.get(name) ??
      this.#byUrn.get(name) ??
      this.#byUrn.get(urnPrefix + name) ??
      this.all.find((service) => service.name === name)
    );
  }

  /** Like {@link find}, and a service that is not known here is looked for in the tables. */
  async findNow(name: string): Promise<RegisteredService | undefined> {
    const known = this.find(name);
    if (known !== undefined || !this.#tables.isShared) return known;
    await this.#look();
    return this.find(name);
  }

  /** Throws `not-found`, with the known names. */
  async get(name: string): Promise<RegisteredService> {
    return (await this.findNow(name)) ?? this.known(name);
  }

  /** A service that is known here. Throws `not-found`, with the known names. */
  known(name: string): RegisteredService {
    const found = this.find(name);
    if (found !== undefined) return found;
    const names = this.all.map(({ key }) => key);
    const known = names.length === 0 ? "No service is registered yet." : `Known: ${names.slice(0, 20).join(", ")}.`;
    throw new ToolError("not-found", `There is no service ${JSON.stringify(name.slice(0, 250))}. ${known}`);
  }

  /**
   * The service whose jobs a worker fetches. An unknown one is created: a worker that asks is enough. Without a name it
   * is the only service. Throws `bad-request`.
   */
  async forWorker(name: string | undefined): Promise<RegisteredService> {
    if (name !== undefined) {
      const known = await this.findNow(name);
      if (known !== undefined) return known;
      if (!legalKey.test(name) || this.#isReserved(name)) {
        throw new ToolError(
          "bad-request",
          `${JSON.stringify(name.slice(0, 100))} cannot be a service: use lower-case letters, digits and hyphens in PLATFORM_BASE_URL.`,
        );
      }
      return this.register({ definition: { name } });
    }
    if (this.#services.size === 0 && this.#tables.isShared) await this.#look();
    const [first, ...more] = this.#services.values();
    if (first === undefined) return this.register({ definition: { name: defaultKey } });
    if (more.length === 0) return first;
    throw new ToolError(
      "bad-request",
      `There are several services, so PLATFORM_BASE_URL must name one: end it with /${first.key}, for example.`,
    );
  }

  /** Adds a service, or updates a known one. Throws `bad-request`. */
  async register({ definition, url }: NewService): Promise<RegisteredService> {
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
      const key = this.#keyFor(name, given);
      const urn = given ?? urnPrefix + key;
      const other = this.#byUrn.get(urn);
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
    this.#keep(service);
    for (const listener of this.#listeners) listener(service);
    return service;
  }

  /** Looks no more at what other replicas register. */
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
      const known = this.#services.get(row.key);
      const url = row.url ?? undefined;
      const isKnown =
        known?.urn === row.urn && known.url === url && JSON.stringify(known.definition) === row.definition;
      if (isKnown) continue;
      const service = { ...row, definition: JSON.parse(row.definition) as Record<string, unknown>, url };
      this.#keep(service);
      for (const listener of this.#listeners) listener(service);
    }
  }

  /** A known service with that id or name keeps its key. */
  #keyFor(name: string, urn: string | undefined): string {
    const known = (urn === undefined ? undefined : this.#byUrn.get(urn)) ?? this.find(name);
    if (known !== undefined && (urn === undefined || known.urn === urn || known.urn === urnPrefix + known.key)) {
      return known.key;
    }
    const plain = serviceKey(name);
    const base = this.#isReserved(plain) ? `${plain}-service` : plain;
    // Its worker came first: this is the definition of the service it created.
    const made = this.#services.get(base);
    if (made !== undefined && isMadeByWorker(made)) return base;
    for (let n = 1; ; n++) {
      const key = n === 1 ? base : `${base}-${n}`;
      if (!this.#services.has(key)) return key;
    }
  }

  #keep(service: RegisteredService): void {
    const before = this.#services.get(service.key);
    if (before !== undefined) this.#byUrn.delete(before.urn);
    this.#services.set(service.key, service);
    this.#byUrn.set(service.urn, service);
  }
}

/** True for a service that was created by a worker's request: its name is its key. */
export function isMadeByWorker({ key, name, definition }: RegisteredService): boolean {
  return name === key && Object.keys(definition).length === 1;
}

/** Path of the tool for a request, if the service is called over REST. */
export function toolPath(service: RegisteredService, text: string, name: string | undefined): string | undefined {
  return service.url === undefined ? undefined : toolForContent(service.definition, text, name);
}
