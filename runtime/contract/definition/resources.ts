import { isRecord } from "../is-record.ts";
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
 * Reads the content of a resources file. Every part may be missing; both spellings of `ephemeral-storage` are read.
 * Malformed content gives an error text without the file's name.
 */
export function parseResources(text: string): { readonly resources: Resources } | { readonly error: string } {
  let content: unknown;
  try {
    content = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return { error: `it is not valid JSON. It should look like ${shape}` };
  }
  if (!isRecord(content)) return { error: `it must hold an object such as ${shape}` };
  const stray = Object.keys(content).find((key) => key !== "limits" && key !== "requests" && !key.startsWith("$"));
  if (stray !== undefined)
    return { error: `it has the unknown key ${JSON.stringify(stray)}; known are "limits" and "requests"` };
  const limits = quantities(content["limits"], "limits", defaultResources.limits);
  if (typeof limits === "string") return { error: limits };
  const requests = quantities(content["requests"], "requests", defaultResources.requests);
  if (typeof requests === "string") return { error: requests };
  return { resources: { limits, requests } };
}

function quantities(part: unknown, name: string, fallback: ResourceQuantities): ResourceQuantities | string {
  if (part === undefined || part === null) return fallback;
  if (!isRecord(part)) return `"${name}" must be an object with "cpu" and "memory"`;
  const values: { cpu: string; memory: string; "ephemeral-storage"?: string } = {
    cpu: fallback.cpu,
    memory: fallback.memory,
  };
  for (const [key, value] of Object.entries(part)) {
    const plain = key.replace("_", "-");
    if (plain !== "cpu" && plain !== "memory" && plain !== "ephemeral-storage") {
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
