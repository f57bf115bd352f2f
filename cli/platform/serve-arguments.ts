/** Readers of the arguments of `tenon platform`. Each function throws a `UsageError` or a `CommandError`. */
import { existsSync, readFileSync } from "node:fs";
import type { Strangers } from "../local-platform/routes/job-access.ts";
import type { WorkerOrder } from "../local-platform/workers/run-workers.ts";
import type { NewService } from "../local-platform/services/service-registry.ts";
import { CommandError, UsageError } from "../base/usage.ts";
import { checkWritable } from "./files.ts";

/** Minimum characters of a secret that cannot be guessed. */
const leastKey = 32;

/** Reads and checks the secret that replicas share. */
export function readKey(text: string | undefined): string | undefined {
  const key = text?.trim() || undefined;
  if (key === undefined || key.length >= leastKey) return key;
  throw new CommandError(`TENON_PLATFORM_KEY is too short; it needs at least ${leastKey} random characters.`);
}

/** Names of a comma-separated list, in the form in which the platform compares them. */
export function readHosts(list: string | undefined): readonly string[] | undefined {
  return list?.split(",").flatMap((entry) => {
    const name = entry.trim();
    if (name === "") return [];
    const host = /^[\w.-]+$/.test(name) ? URL.parse(`http://${name}/`)?.hostname : undefined;
    if (host !== undefined) return [host];
    throw new CommandError(
      `TENON_ALLOWED_HOSTS: ${JSON.stringify(name)} is not a valid host; write one such as tools.example.org.`,
    );
  });
}

/** Parses `KEY=COMMAND`, or only a command for the only service. */
export function readOrder(text: string): WorkerOrder {
  const [, service, command = text] = /^([a-z0-9][a-z0-9-]{0,63})=(.*)$/s.exec(text) ?? [];
  if (command.trim() === "") throw new UsageError(`--run ${JSON.stringify(text)} has no command`);
  return { service, command };
}

/** Reads services from the arguments: `FILE` or `FILE=URL`; default: ./service.json if it exists. */
export function servicesOf(words: readonly string[]): readonly NewService[] {
  const files = words.length > 0 ? words : ["service.json"].filter((file) => existsSync(file));
  return files.map((word) => {
    const [file = "", url] = word.split(/=(?=https?:)/);
    return { definition: readDefinition(file), ...(url !== undefined && { url }) };
  });
}

function readDefinition(file: string): Readonly<Record<string, unknown>> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    throw new CommandError(`There is no file ${file}. A service definition is made by \`tenon generate\`.`);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch (error) {
    throw new CommandError(`${file} is not JSON: ${(error as Error).message}`);
  }
  throw new CommandError(`${file} is not a service definition: it must be a JSON object.`);
}

/** Rights of callers without a token; default all. */
export function readStrangers(text: string = "all"): Strangers {
  if (text === "all" || text === "submit" || text === "none") return text;
  throw new UsageError(`--strangers is ${JSON.stringify(text)}; it must be all, submit or none`);
}

/** Checks the file to which a recording is appended now, before the start, in case it cannot be written. */
export function recordOf(file: string | undefined): string | undefined {
  if (file !== undefined) checkWritable(file);
  return file;
}

/** Parses a number in a range; without a text, returns the default. */
export function readNumber(name: string, text: string | undefined, usual: number, most: number, least = 0): number {
  if (text === undefined) return usual;
  const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`${name} is ${JSON.stringify(text)}; it must be a number from ${least} to ${most}`);
}
