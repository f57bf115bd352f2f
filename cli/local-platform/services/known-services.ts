import { ToolError } from "../../../runtime/base/errors.ts";

/** A service that the platform knows. */
export interface RegisteredService {
  /** Segment of the service's base URL, and name of its queue: letters, digits and hyphens. */
  readonly key: string;
  readonly urn: string;
  readonly name: string;
  /** The known part of the service definition. */
  readonly definition: Readonly<Record<string, unknown>>;
  /** Its REST address; undefined: its workers fetch their jobs. */
  readonly url: string | undefined;
}

/** Prefix of the URN for a service whose definition has none. */
export const urnPrefix = "urn:platform:service:";

/** The services that this process knows, by key and by URN. */
export class KnownServices {
  readonly #byKey = new Map<string, RegisteredService>();
  readonly #byUrn = new Map<string, RegisteredService>();

  get all(): readonly RegisteredService[] {
    return [...this.#byKey.values()];
  }

  withKey(key: string): RegisteredService | undefined {
    return this.#byKey.get(key);
  }

  withUrn(urn: string): RegisteredService | undefined {
    return this.#byUrn.get(urn);
  }

  /** Finds a service by key, URN, bare id or name. */
  find(name: string): RegisteredService | undefined {
    return (
      this.#byKey.get(name) ??
      this.#byUrn.get(name) ??
      this.#byUrn.get(urnPrefix + name) ??
      this.all.find((service) => service.name === name)
    );
  }

  /** Finds a service like {@link find}. Throws `not-found`, with the known names. */
  named(name: string): RegisteredService {
    const found = this.find(name);
    if (found !== undefined) return found;
    const names = this.all.map(({ key }) => key);
    const known = names.length === 0 ? "No service is registered yet." : `Known: ${names.slice(0, 20).join(", ")}.`;
    throw new ToolError("not-found", `There is no service ${JSON.stringify(name.slice(0, 250))}. ${known}`);
  }

  /** Adds a service, or replaces the one with its key. */
  keep(service: RegisteredService): void {
    const before = this.#byKey.get(service.key);
    if (before !== undefined) this.#byUrn.delete(before.urn);
    this.#byKey.set(service.key, service);
    this.#byUrn.set(service.urn, service);
  }
}

/** True for a service that was created by a worker's request: its name is its key. */
export function isMadeByWorker({ key, name, definition }: RegisteredService): boolean {
  return name === key && Object.keys(definition).length === 1;
}
