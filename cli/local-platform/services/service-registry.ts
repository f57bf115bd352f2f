import type { DatabaseSync, StatementSync } from "node:sqlite";
import { ToolError } from "../../../runtime/base/errors.ts";
import { serviceKey } from "../../../runtime/contract/definition/service-key.ts";
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

/** The services of the platform, kept across restarts. */
export class ServiceRegistry {
  readonly #services = new Map<string, RegisteredService>();
  readonly #byUrn = new Map<string, RegisteredService>();
  readonly #put: StatementSync;
  readonly #isReserved: (key: string) => boolean;
  readonly #listeners = new Set<(service: RegisteredService) => void>();

  /** @param isReserved True for a key that would hide a route of the platform */
  constructor(database: DatabaseSync, isReserved: (key: string) => boolean) {
    this.#isReserved = isReserved;
    this.#put = database.prepare(
      "INSERT INTO services (key, urn, name, definition, url) VALUES (?, ?, ?, ?, ?) " +
        "ON CONFLICT (key) DO UPDATE SET urn = excluded.urn, name = excluded.name, definition = excluded.definition, url = excluded.url",
    );
    for (const row of database.prepare("SELECT * FROM services").all() as unknown as Row[]) {
      this.#keep({
        ...row,
        definition: JSON.parse(row.definition) as Record<string, unknown>,
        url: row.url ?? undefined,
      });
    }
  }

  get all(): readonly RegisteredService[] {
    return [...this.#services.values()];
  }

  /** Calls `listener` for every service that is registered or changed later. Returns a function that unsubscribes. */
  onChange(listener: (service: RegisteredService) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** By key, URN, bare id or name. */
  find(name: string): RegisteredService | undefined {
    return (
      this.#services.get(name) ??
      this.#byUrn.get(name) ??
      this.#byUrn.get(urnPrefix + name) ??
      this.all.find((service) => service.name === name)
    );
  }

  /** Throws `not-found`, with the known names. */
  get(name: string): RegisteredService {
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
  forWorker(name: string | undefined): RegisteredService {
    if (name !== undefined) {
      const known = this.find(name);
      if (known !== undefined) return known;
      if (!legalKey.test(name) || this.#isReserved(name)) {
        throw new ToolError(
          "bad-request",
          `${JSON.stringify(name.slice(0, 100))} cannot be a service: use lower-case letters, digits and hyphens in PLATFORM_BASE_URL.`,
        );
      }
      return this.register({ definition: { name } });
    }
    const [first, ...more] = this.#services.values();
    if (first === undefined) return this.register({ definition: { name: defaultKey } });
    if (more.length === 0) return first;
    throw new ToolError(
      "bad-request",
      `There are several services, so PLATFORM_BASE_URL must name one: end it with /${first.key}, for example.`,
    );
  }

  /** Adds a service, or updates a known one. Throws `bad-request`. */
  register({ definition, url }: NewService): RegisteredService {
    const { name } = definition;
    if (typeof name !== "string" || name.trim() === "" || name.length > 200) {
      throw new ToolError("bad-request", "A service definition needs a name.");
    }
    if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
      throw new ToolError("bad-request", `The service's url ${JSON.stringify(url.slice(0, 200))} is not an http URL.`);
    }
    const id = definition["$id"];
    const given = typeof id === "string" && legalUrn.test(id) ? id : undefined;
    const key = this.#keyFor(name, given);
    const urn = given ?? urnPrefix + key;
    const service: RegisteredService = { key, urn, name, definition, url };
    const other = this.#byUrn.get(urn);
    if (other !== undefined && other.key !== key) {
      throw new ToolError("bad-request", `${urn} is the id of the service ${other.key} already.`);
    }
    this.#put.run(key, urn, name, JSON.stringify(definition), url ?? null);
    this.#keep(service);
    for (const listener of this.#listeners) listener(service);
    return service;
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
