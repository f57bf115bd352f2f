import type { JsonSchema } from "../../runtime/contract/contract.ts";
import { canonicalJson } from "../../runtime/contract/validation/json-value.ts";
import type { Finding, Severity } from "./finding.ts";
import { compareTexts } from "./schemas/compare-texts.ts";
import { openWalk } from "./schemas/compare-schemas.ts";
import { type Proof, prove } from "./schemas/prove.ts";
import { type SchemaRule, schemaRules } from "./schemas/schema-rules.ts";
import { openSide, type Side } from "./schemas/side.ts";
import type { Suspicion } from "./schemas/suspicion.ts";

/**
 * Direction of a model. A request must still accept all values that it accepted before; a result must not return values
 * that it did not return before.
 */
export type Direction = "request" | "result";

type Change = "narrowed" | "widened";

/** Direction in which changes of a model break callers. */
const severityOf: Readonly<Record<Direction, Readonly<Record<Change, Severity>>>> = {
  request: { narrowed: "breaking", widened: "additive" },
  result: { narrowed: "additive", widened: "breaking" },
};

/** The differences between two schemas of one model by what they accept, and by their texts. */
export function compareModels(
  tool: string,
  direction: Direction,
  before: JsonSchema,
  after: JsonSchema,
): readonly Finding[] {
  // Skips the comparison of equal schemas, since most models of a service are unchanged.
  if (canonicalJson(before) === canonicalJson(after)) return [];
  const [old, now] = [openSide(before), openSide(after)];
  const context = { tool, direction };
  const narrowed = suspect(old, now).map((one) => judge(one, "narrowed", context));
  const widened = suspect(now, old).map((one) => judge(one, "widened", context));
  const all = distinct([
    ...narrowed,
    ...widened,
    ...compareTexts(old, now, direction).map((one) => ({ tool, ...one })),
  ]);
  return withoutEchoes(all.filter((one) => one !== undefined));
}

interface Suspected {
  readonly suspicion: Suspicion;
  readonly proof: Proof | undefined;
}

function suspect(a: Side, b: Side): readonly Suspected[] {
  const walk = openWalk(a, b);
  return walk.compare(a.root, b.root).map((suspicion) => ({ suspicion, proof: prove(walk, suspicion) }));
}

/** Makes a finding from a suspicion; undefined when it is neither proved nor worth checking by a person. */
function judge(
  { suspicion, proof }: Suspected,
  change: Change,
  { tool, direction }: { readonly tool: string; readonly direction: Direction },
): Finding | undefined {
  const severity = severityOf[direction][change];
  const { steps, rule, accepted, refused, isKnown = false, urn } = suspicion;
  const [before, after] = change === "narrowed" ? [accepted, refused] : [refused, accepted];
  const { rule: name, text } = schemaRules[rule satisfies SchemaRule][change];
  // A field that is added or removed without harm is skipped here, since the comparison of texts reports it.
  if (severity === "additive" && rule === "required" && !isKnown) return undefined;
  const urns = [...steps.map((step) => step.urn), urn].filter((one) => one !== undefined);
  const found = {
    tool,
    place: placeOf(
      direction,
      steps.map((step) => step.text),
    ),
    rule: name,
    message: text({ before, after, isKnown }),
    ...(urns.length > 0 && { urns: [...new Set(urns)] }),
  };
  if (proof === undefined) {
    return severity === "breaking"
      ? { severity: "behaviour", ...found, message: `${found.message}; no value was found that shows a difference` }
      : undefined;
  }
  return { severity, ...found, ...(severity === "breaking" && { witness: proof }) };
}

/** Names a part of a model for people: `request` as a whole, `request /items/*`. */
export function placeOf(direction: Direction, steps: readonly string[]): string {
  return steps.length === 0 ? direction : `${direction} /${steps.join("/")}`;
}

function distinct(found: readonly (Finding | undefined)[]): readonly (Finding | undefined)[] {
  const seen = new Set<string>();
  return found.filter((one) => {
    const key = one && [one.severity, one.place, one.rule, one.message].join("\n");
    if (key === undefined || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/**
 * Removes duplicates of breaking findings. A type that was changed to a different one both accepts less and more; only
 * the breaking half is reported.
 */
function withoutEchoes(found: readonly Finding[]): readonly Finding[] {
  const broken = new Set(found.filter(({ severity }) => severity === "breaking").map(echoOf));
  return found.filter((one) => one.severity !== "additive" || !broken.has(echoOf(one)));
}

function echoOf({ place, message }: Finding): string {
  return `${place}\n${message}`;
}
