import { isObject } from "../validation/json-value.ts";
import type { ResourceQuantities } from "../service-definition.ts";

/** CPU, memory and disk that a service requests from its cluster. */
export interface Resources {
  readonly limits: ResourceQuantities;
  readonly requests: ResourceQuantities;
}

/** Resources of a service without a resources file. */
export const defaultResources: Resources = {
  limits: { cpu: "500m", memory: "1Gi" },
  requests: { cpu: "500m", memory: "1Gi" },
};

const quantity = /^\d+(?:\.\d+)?(?:m|[kMGTPE]|[KMGTPE]i)?$/;
const shape = '{"limits":{"cpu":"500m","memory":"1Gi"},"requests":{"cpu":"500m","memory":"1Gi"}}';

/**
 * Reads the content of a resources file. If CPU or memory is given only as a request or only as a limit, the value is
 * used for both, so that no default contradicts it; both spellings of `ephemeral-storage` are read. Malformed content
 * gives an error text without the file's name.
 */
export function parseResources(text: string): { readonly resources: Resources } | { readonly error: string } {
  let content: unknown;
  try {
    content = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return { error: `it is not valid JSON. It should look like ${shape}` };
  }
  if (!isObject(content)) return { error: `it must hold an object such as ${shape}` };
  const stray = Object.keys(content).find((key) => key !== "limits" && key !== "requests" && !key.startsWith("$"));
  if (stray !== undefined)
    return { error: `it has the unknown key ${JSON.stringify(stray)}; known are "limits" and "requests"` };
  const limits = quantities(content["limits"], "limits");
  if (typeof limits === "string") return { error: limits };
  const requests = quantities(content["requests"], "requests");
  if (typeof requests === "string") return { error: requests };
  for (const key of names) {
    const [request, limit] = [requests[key], limits[key]];
    if (request !== undefined && limit !== undefined && amountOf(request) > amountOf(limit))
      return { error: `"requests.${key}" is ${request}, which is more than "limits.${key}", ${limit}` };
  }
  return { resources: { limits: completed(limits, requests), requests: completed(requests, limits) } };
}

function completed(side: Partial<ResourceQuantities>, other: Partial<ResourceQuantities>): ResourceQuantities {
  const { cpu = other.cpu, memory = other.memory } = side;
  return {
    ...side,
    cpu: cpu ?? defaultResources.limits.cpu,
    memory: memory ?? defaultResources.limits.memory,
  };
}

const names = ["cpu", "memory", "ephemeral-storage"] as const;

function quantities(part: unknown, name: string): Partial<ResourceQuantities> | string {
  if (part === undefined || part === null) return {};
  if (!isObject(part)) return `"${name}" must be an object with "cpu" and "memory"`;
  const values: { -readonly [key in keyof ResourceQuantities]?: string } = {};
  for (const [key, value] of Object.entries(part)) {
    const plain = names.find((one) => one === key.replace("_", "-"));
    if (plain === undefined) {
      return `"${name}" has the unknown key ${JSON.stringify(key)}; known are "cpu", "memory" and "ephemeral-storage"`;
    }
    if (value === null) continue;
    const text = typeof value === "number" ? String(value) : value;
    if (typeof text !== "string" || !quantity.test(text)) {
      return `"${name}.${key}" is ${JSON.stringify(value)}, which is not a quantity such as "500m" or "1Gi"`;
    }
    values[plain] = text;
  }
  return values;
}

/** Returns the number of a quantity: cores, or bytes. */
function amountOf(text: string): number {
  const [, digits = "", unit = ""] = /^([\d.]+)(.*)$/.exec(text) ?? [];
  if (unit === "m") return Number(digits) / 1000;
  const power = " kMGTPE".indexOf(unit.charAt(0).replace("K", "k"));
  return Number(digits) * (unit.endsWith("i") ? 1024 : 1000) ** Math.max(0, power);
}
