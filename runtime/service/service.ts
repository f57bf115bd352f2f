import { versionKey } from "../contract/process-keys.ts";
import { StartError } from "../base/start-error.ts";

export interface ServiceContactOptions {
  readonly name: string;
  readonly email: string;
  readonly url?: string;
}

export interface ServiceLicenseOptions {
  readonly name: string;
  readonly url?: string;
}

export interface ServiceOptions {
  readonly name: string;
  /** Default: the variable `VERSION`, else the version in package.json. */
  readonly version?: string;
  readonly description?: string;
  /**
   * Text that MCP hosts give to models together with the names of the tools: the purpose of the service, and when to
   * use which tool. At most 2,048 bytes. Default: made from the description and the first sentence of each tool.
   */
  readonly instructions?: string;
  readonly contact?: ServiceContactOptions;
  readonly license?: ServiceLicenseOptions;
  /**
   * Runs before the service handles its first call, for example to connect to a database. Calls wait for it. When it
   * throws, or takes longer than `PLATFORM_START_TIMEOUT` (60 s), the service does not start.
   */
  readonly onStart?: ServiceHook;
  /**
   * Runs when all jobs have ended, before the process ends, for at most 5 s: closes the resources that `onStart` has
   * opened.
   */
  readonly onStop?: ServiceHook;
}

/** A function that is awaited when a service starts or stops. */
export type ServiceHook = () => void | Promise<void>;

/** Contact for questions about a service. */
export class ServiceContact {
  readonly name: string;
  readonly email: string;
  readonly url?: string;

  constructor(options: ServiceContactOptions) {
    checkKeys("ServiceContact", options, ["name", "email"], ["url"]);
    this.name = options.name;
    this.email = options.email;
    if (options.url !== undefined) this.url = options.url;
  }
}

/** License of a service. */
export class ServiceLicense {
  readonly name: string;
  readonly url?: string;

  constructor(options: ServiceLicenseOptions) {
    checkKeys("ServiceLicense", options, ["name"], ["url"]);
    this.name = options.name;
    if (options.url !== undefined) this.url = options.url;
  }
}

/** Name, version and texts of a service; given to the start call. */
export class Service {
  declare readonly name: string;
  declare readonly version?: string;
  declare readonly description?: string;
  declare readonly instructions?: string;
  readonly contact?: ServiceContact;
  readonly license?: ServiceLicense;
  readonly onStart?: ServiceHook;
  readonly onStop?: ServiceHook;

  /** Throws a `TypeError` for a missing name, an unknown key or a value that is not a string. */
  constructor(options: ServiceOptions) {
    const { contact, license, onStart, onStop, ...texts } = checkKeys(
      "Service",
      options,
      ["name"],
      ["version", "description", "instructions", "contact", "license", "onStart", "onStop"],
    );
    for (const [key, value] of Object.entries(texts)) checkText("Service", key, value);
    Object.assign(this, texts);
    if (contact !== undefined) this.contact = new ServiceContact(contact as ServiceContactOptions);
    if (license !== undefined) this.license = new ServiceLicense(license as ServiceLicenseOptions);
    if (onStart !== undefined) this.onStart = checkHook("onStart", onStart);
    if (onStop !== undefined) this.onStop = checkHook("onStop", onStop);
  }
}

/**
 * Returns the version of a service: its own, else `VERSION`, else the version of the package from which it was built,
 * else that of the nearest package.json, else `0.0.0`.
 */
export function resolveVersion(service: Service, variable: string | undefined, directory: string): string {
  return service.version ?? variable ?? builtVersion() ?? packageVersion(directory) ?? "0.0.0";
}

/**
 * Returns the version that the plugin has set in the entry of a build: a container has the build, but no package.json.
 */
function builtVersion(): string | undefined {
  return (globalThis as { [versionKey]?: string })[versionKey];
}

function packageVersion(directory: string): string | undefined {
  const { dirname, join } = process.getBuiltinModule("node:path");
  for (let folder = directory; ; folder = dirname(folder)) {
    let text: string | undefined;
    try {
      text = process.getBuiltinModule("node:fs").readFileSync(join(folder, "package.json"), "utf8");
    } catch {
      if (dirname(folder) === folder) return undefined;
      continue;
    }
    try {
      const { version } = JSON.parse(text) as { readonly version?: unknown };
      return typeof version === "string" ? version : undefined;
    } catch {
      throw new StartError(`${join(folder, "package.json")} is not valid JSON.`);
    }
  }
}

function checkKeys(
  type: string,
  options: unknown,
  required: readonly string[],
  optional: readonly string[],
): Record<string, unknown> {
  if (typeof options !== "object" || options === null)
    throw new TypeError(`${type} takes an object: { name: "\u2026" }.`);
  const known = [...required, ...optional];
  for (const key of Object.keys(options)) {
    if (!known.includes(key)) throw new TypeError(`${type} has no ${JSON.stringify(key)}; it has ${known.join(", ")}.`);
  }
  const fields = options as Record<string, unknown>;
  for (const key of required) {
    if (typeof fields[key] !== "string" || fields[key].trim() === "") {
      throw new TypeError(`${type} needs ${JSON.stringify(key)}, a text that is not empty.`);
    }
  }
  if (type !== "Service") for (const key of optional) checkText(type, key, fields[key]);
  return fields;
}

function checkHook(key: string, value: unknown): ServiceHook {
  if (typeof value === "function") return value as ServiceHook;
  throw new TypeError(`Service: ${JSON.stringify(key)} must be a function.`);
}

function checkText(type: string, key: string, value: unknown): void {
  if (value !== undefined && typeof value !== "string")
    throw new TypeError(`${type}: ${JSON.stringify(key)} must be a text.`);
}
