import { isRecord } from "../../../runtime/contract/is-record.ts";
import type { LimitDefinition, RateDefinition } from "../../../runtime/contract/contract.ts";
import type { JobLimit } from "../../../runtime/job/limits/job-limit.ts";
import { limitsOf } from "../../../runtime/job/limits/limits-of.ts";
import type { RegisteredService } from "./known-services.ts";
import { toolOfContent } from "./service-tools.ts";

/**
 * The limit of a job whose workers fetch it, by the service definition. Undefined where there is none, where it is not
 * known which tool the job is for, and for a service that is called over REST: it keeps its limits itself.
 *
 * @param text The request as JSON; undefined for another content
 */
export function limitOfJob(
  { key, url, definition }: RegisteredService,
  text: string | undefined,
): JobLimit | undefined {
  if (url !== undefined) return undefined;
  const tool = toolOfContent(definition, text ?? "");
  const limit = readLimit(tool?.["limit"]);
  const rate = readRate(tool?.["rate"]);
  const first = limit ?? rate;
  if (tool === undefined || first === undefined) return undefined;
  const { per } = first;
  const input: unknown = per?.startsWith("request.") === true && text !== undefined ? JSON.parse(text) : undefined;
  // Keys of services must not meet.
  const name = `${key}/${String(tool["name"])}`;
  const isNumber = per !== undefined && isNumberAt(tool["request-schema"], per);
  return limitsOf({ name, definition: { limit, rate } as never, options: {} }, { input }, isNumber);
}

/** A definition comes from outside: whatever is not a limit is none. */
function readLimit(value: unknown): LimitDefinition | undefined {
  if (!isRecord(value)) return undefined;
  const { jobs, per, beyond } = value;
  if (!isCount(jobs)) return undefined;
  if (per !== undefined && typeof per !== "string") return undefined;
  const known = beyond === "refuse" || beyond === "replace" ? beyond : "wait";
  return { jobs, ...(per !== undefined && { per }), beyond: known };
}

/** The same for a rate. */
function readRate(value: unknown): RateDefinition | undefined {
  if (!isRecord(value)) return undefined;
  const { starts, each, per, burst = 1, beyond } = value;
  if (!isCount(starts) || !isCount(burst) || (per !== undefined && typeof per !== "string")) return undefined;
  if (each !== "s" && each !== "min" && each !== "h" && each !== "day") return undefined;
  return { starts, each, ...(per !== undefined && { per }), burst, beyond: beyond === "refuse" ? beyond : "wait" };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 1;
}

/** True for a field that is a number, so that a text in its place means one. */
function isNumberAt(schema: unknown, per: string): boolean {
  let at: unknown = schema;
  for (const name of per.split(".").slice(1)) {
    const properties = isRecord(at) ? at["properties"] : undefined;
    at = followed(schema, isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined);
  }
  const type = isRecord(at) ? at["type"] : undefined;
  return type === "number" || type === "integer";
}

/** A schema, or the one among its `$defs` that it names. */
function followed(root: unknown, schema: unknown): unknown {
  const [, name] = /^#\/\$defs\/([^/]+)$/.exec(isRecord(schema) ? String(schema["$ref"]) : "") ?? [];
  const all = isRecord(root) ? root["$defs"] : undefined;
  return name !== undefined && isRecord(all) && Object.hasOwn(all, name) ? all[name] : schema;
}
