import { isRecord } from "../../../runtime/contract/is-record.ts";
import type { LimitDefinition, PriorityDefinition, RateDefinition } from "../../../runtime/contract/contract.ts";
import type { JobTurn } from "../../../runtime/job/limits/job-limit.ts";
import { limitsOf } from "../../../runtime/job/limits/limits-of.ts";
import type { RegisteredService } from "./known-services.ts";
import { toolOfContent } from "./service-tools.ts";

/** Maximum seconds of a head start. */
const longestHeadStart = 86_400;

/**
 * Returns the limit and the head start of a job whose workers fetch it, by the service definition. Both are absent if
 * the tool has none, if it is not known which tool the job is for, and for a service that is called over REST, which
 * keeps its limits itself.
 *
 * @param text The request as JSON; undefined for any other content
 */
export function turnOfJob({ key, url, definition }: RegisteredService, text: string | undefined): JobTurn {
  if (url !== undefined) return {};
  const tool = toolOfContent(definition, text ?? "");
  const limit = readLimit(tool?.["limit"]);
  const rate = readRate(tool?.["rate"]);
  const priorities = readPriorities(tool?.["priorities"]);
  const first = limit ?? rate;
  if (tool === undefined || (first ?? priorities) === undefined) return {};
  const per = first?.per;
  const readsRequest = priorities !== undefined || per?.startsWith("request.") === true;
  const input: unknown = readsRequest && text !== undefined ? JSON.parse(text) : undefined;
  // The key of the service makes names of limits unique across services.
  const name = `${key}/${String(tool["name"])}`;
  const isNumber = per !== undefined && isNumberAt(tool["request-schema"], per);
  return limitsOf({ name, definition: { limit, rate, priorities } as never, options: {} }, { input }, isNumber);
}

/** Reads a concurrency limit from an untrusted definition; `undefined` if it is missing or invalid. */
function readLimit(value: unknown): LimitDefinition | undefined {
  if (!isRecord(value)) return undefined;
  const { jobs, per, beyond } = value;
  if (!isCount(jobs)) return undefined;
  if (per !== undefined && typeof per !== "string") return undefined;
  const known = beyond === "refuse" || beyond === "replace" ? beyond : "wait";
  return { jobs, ...(per !== undefined && { per }), beyond: known };
}

/** Reads a rate limit from an untrusted definition; `undefined` if it is missing or invalid. */
function readRate(value: unknown): RateDefinition | undefined {
  if (!isRecord(value)) return undefined;
  const { starts, each, per, burst = 1, beyond } = value;
  if (!isCount(starts) || !isCount(burst) || (per !== undefined && typeof per !== "string")) return undefined;
  if (each !== "s" && each !== "min" && each !== "h" && each !== "day") return undefined;
  return { starts, each, ...(per !== undefined && { per }), burst, beyond: beyond === "refuse" ? beyond : "wait" };
}

/** Reads head starts from an untrusted definition; those that are invalid are left out. */
function readPriorities(value: unknown): readonly PriorityDefinition[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const known = (value as readonly unknown[]).filter(isPriority);
  return known.length === 0 ? undefined : known;
}

function isPriority(value: unknown): value is PriorityDefinition {
  if (!isRecord(value) || typeof value["when"] !== "string") return false;
  const { seconds, is } = value;
  const isTime = typeof seconds === "number" && seconds > 0 && seconds <= longestHeadStart;
  return isTime && (typeof is === "string" || typeof is === "number" || typeof is === "boolean");
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 1;
}

/** True if the field of a key is a number, so that the text `"5"` counts as the number 5. */
function isNumberAt(schema: unknown, per: string): boolean {
  let at: unknown = schema;
  for (const name of per.split(".").slice(1)) {
    const properties = isRecord(at) ? at["properties"] : undefined;
    at = followed(schema, isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined);
  }
  const type = isRecord(at) ? at["type"] : undefined;
  return type === "number" || type === "integer";
}

/** Follows a reference to one of the `$defs`; returns any other schema unchanged. */
function followed(root: unknown, schema: unknown): unknown {
  const [, name] = /^#\/\$defs\/([^/]+)$/.exec(isRecord(schema) ? String(schema["$ref"]) : "") ?? [];
  const all = isRecord(root) ? root["$defs"] : undefined;
  return name !== undefined && isRecord(all) && Object.hasOwn(all, name) ? all[name] : schema;
}
