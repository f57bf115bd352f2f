import type { JsonSchema, PriorityDefinition } from "../../../runtime/contract/contract.ts";
import { isObject } from "../../../runtime/contract/validation/json-value.ts";
import type { ServiceDefinitionTool } from "../../../runtime/contract/service-definition.ts";
import { hasNoProblem } from "../../../runtime/contract/validation/report/report.ts";
import { rootRule } from "../../../runtime/contract/validation/report/rule.ts";
import { asFullSchema } from "../../../runtime/contract/validation/report/schema.ts";
import type { JobTurn } from "../../../runtime/job/limits/job-limit.ts";
import { limitsOf } from "../../../runtime/job/limits/limits-of.ts";
import type { RegisteredService } from "./known-services.ts";
import { toolOfContent } from "./service-tools.ts";

type ToolLimits = Pick<ServiceDefinitionTool, "limit" | "rate" | "debounce">;

const count: JsonSchema = { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
const seconds: JsonSchema = { type: "number", exclusiveMinimum: 0 };
const per: JsonSchema = { type: "string" };

/** Schemas of {@link ToolLimits}: any client may register a definition, and it may be from another version. */
const shapes: Readonly<Record<keyof ToolLimits, JsonSchema>> = {
  limit: {
    type: "object",
    required: ["jobs"],
    properties: { jobs: count, per, beyond: { enum: ["wait", "refuse", "replace"] } },
  },
  rate: {
    type: "object",
    required: ["starts", "each", "burst"],
    properties: {
      starts: count,
      each: { enum: ["s", "min", "h", "day"] },
      per,
      burst: count,
      beyond: { enum: ["wait", "refuse"] },
    },
  },
  debounce: { type: "object", required: ["seconds"], properties: { seconds, most: seconds, per } },
};

/** Schema of a head start; the type of its value is checked apart. */
const priority: JsonSchema = {
  type: "object",
  required: ["seconds", "when", "is"],
  properties: { seconds: { ...seconds, maximum: 86_400 }, when: { type: "string" } },
};

/**
 * Returns the limit and the head start of a job whose workers fetch it, by the service definition. Both are absent if
 * the tool has none, if it is not known which tool the job is for, and for a service that is called over REST, which
 * keeps its limits itself. Only a request that matches its schema is debounced, since an invalid one must not replace
 * another.
 *
 * @param text The request as JSON; undefined for any other content
 */
export function turnOfJob({ key, url, definition }: RegisteredService, text: string | undefined): JobTurn {
  if (url !== undefined) return {};
  const tool = toolOfContent(definition, text ?? "");
  if (tool === undefined) return {};
  const known = readLimits(tool);
  const first = known.limit ?? known.rate ?? known.debounce;
  const priorities = readPriorities(tool["priorities"]);
  if ((first ?? priorities) === undefined) return {};
  const isRead = (known.debounce ?? priorities) !== undefined || first?.per?.startsWith("request.") === true;
  const input: unknown = isRead && text !== undefined ? JSON.parse(text) : undefined;
  const schema = tool["request-schema"];
  const { debounce, ...others } = known;
  const limits = debounce !== undefined && isRequest(schema, input) ? known : others;
  // The key of the service makes names of limits unique across services.
  const name = `${key}/${String(tool["name"])}`;
  return limitsOf(
    { name, definition: { ...limits, ...(priorities !== undefined && { priorities }) } as never, options: {} },
    { input },
    first?.per !== undefined && isNumberAt(schema, first.per),
  );
}

/** Reads the valid limits of a definition. */
function readLimits(tool: Readonly<Record<string, unknown>>): ToolLimits {
  const valid = Object.entries(shapes).filter(([name, shape]) => hasNoProblem(shape, tool[name]));
  return Object.fromEntries(valid.map(([name]) => [name, tool[name]]));
}

/** Reads the valid head starts of a definition; undefined if there are none. */
function readPriorities(value: unknown): readonly PriorityDefinition[] | undefined {
  const given: readonly unknown[] = Array.isArray(value) ? value : [];
  const known = given.filter((one): one is PriorityDefinition => {
    return (
      hasNoProblem(priority, one) && ["string", "number", "boolean"].includes(typeof (one as PriorityDefinition).is)
    );
  });
  return known.length === 0 ? undefined : known;
}

function isRequest(schema: unknown, input: unknown): boolean {
  return orFalse(() => isObject(input) && (schema === undefined || hasNoProblem(schema as JsonSchema, input)));
}

/** True if the field of a key is a number, so that the text `"5"` counts as the number 5. */
function isNumberAt(schema: unknown, key: string): boolean {
  return orFalse(() => {
    if (!isObject(schema)) return false;
    let rule = rootRule(asFullSchema(schema as JsonSchema));
    for (const name of key.split(".").slice(1)) {
      const field = rule.keys().byKey.get(name);
      if (field === undefined) return false;
      ({ rule } = field);
    }
    const types = rule.types()?.filter((type) => type !== "null") ?? [];
    return types.length > 0 && types.every((type) => type === "number" || type === "integer");
  });
}

/** Returns false where a schema cannot be read: another program may have written it. */
function orFalse(test: () => boolean): boolean {
  try {
    return test();
  } catch {
    return false;
  }
}
