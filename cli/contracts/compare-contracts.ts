import type { JsonObject, JsonValue } from "../../runtime/contract/contract.ts";
import type { ServiceDefinitionOffer } from "../../runtime/contract/service-definition.ts";
import { isObject } from "../../runtime/contract/validation/json-value.ts";
import { compareMessages } from "./compare-messages.ts";
import { compareModels } from "./compare-models.ts";
import { type Contract, type ContractTool, exampleOf, noRequest } from "./contract.ts";
import { type Finding, severities } from "./finding.ts";
import { toolFacts } from "./tool-facts.ts";
import { judgeUrns } from "./urns.ts";

/** The differences between two contracts, the most severe first. */
export function compareContracts(before: Contract, after: Contract): readonly Finding[] {
  const found = [
    ...compareServices(before, after),
    ...compareTools(before, after),
    ...compareOffers("prompt", before.prompts, after.prompts, before.isBrief === true),
    ...compareOffers("resource", before.resources, after.resources, before.isBrief === true),
  ];
  return judgeUrns(found).toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
}

function compareServices(before: Contract, after: Contract): readonly Finding[] {
  const found: Finding[] = [];
  const [old, now] = [before["controller-schema"], after["controller-schema"]];
  if (old !== undefined && now !== undefined && old !== now) {
    const [tool] = before.tools;
    found.push({
      severity: "breaking",
      tool: "service",
      place: "controller",
      rule: "surface-removed",
      message: `${old} became ${now}`,
      witness: {
        value: exampleOf(tool?.["request-schema"]) as JsonValue,
        problem: "The service has another way to be called.",
      },
    });
  }
  if (before.policy !== undefined && after.policy !== undefined && before.policy !== after.policy) {
    const message = `the access policy ${before.policy} became ${after.policy}`;
    found.push({ severity: "safety", tool: "service", place: "policy", rule: "policy-changed", message });
  }
  if (before.isBrief !== true && before.name !== after.name) {
    const message = `the name ${JSON.stringify(before.name)} became ${JSON.stringify(after.name)}`;
    found.push({ severity: "wording", tool: "service", place: "name", rule: "name-changed", message });
  }
  if (
    before.instructions !== undefined &&
    after.instructions !== undefined &&
    before.instructions !== after.instructions
  ) {
    const message = "the instructions changed";
    found.push({ severity: "wording", tool: "service", place: "instructions", rule: "instructions-changed", message });
  }
  return found;
}

function compareTools(before: Contract, after: Contract): readonly Finding[] {
  const found = before.tools.flatMap((tool) => {
    const now = after.tools.find(({ name }) => name === tool.name);
    return now === undefined ? [removedTool(tool)] : compareTool(tool, now, before.isBrief === true);
  });
  const known = new Set(before.tools.map(({ name }) => name));
  for (const { name } of after.tools) {
    if (known.has(name)) continue;
    found.push({ severity: "additive", tool: name, place: "tool", rule: "tool-added", message: "is new" });
  }
  return found;
}

function removedTool({ name, ...tool }: ContractTool): Finding {
  const problem = `There is no tool ${JSON.stringify(name)}.`;
  return {
    severity: "breaking",
    tool: name,
    place: "tool",
    rule: "tool-removed",
    message: "was removed or renamed",
    witness: { value: exampleOf(tool["request-schema"]) as JsonValue, problem },
  };
}

/** Properties of a tool that both definitions and the shorter descriptions from running services contain. */
const briefPlaces = new Set(["annotations", "description"]);

function compareTool(before: ContractTool, after: ContractTool, isBrief: boolean): readonly Finding[] {
  const tool = before.name;
  const facts = toolFacts
    .filter(({ place }) => !isBrief || briefPlaces.has(place))
    .flatMap(({ place, compare }) =>
      compare(before, after).map(({ problem, extra, ...change }): Finding => {
        if (problem === undefined) return { tool, place, ...change };
        const value = { ...(exampleOf(before["request-schema"]) as JsonObject), ...extra };
        return { tool, place, ...change, witness: { value, problem } };
      }),
    );
  const results = [before["result-schema"], after["result-schema"]] as const;
  return [
    ...facts,
    ...compareModels(tool, "request", requestOf(before), requestOf(after)),
    // If the kind of the result differs, only that is reported.
    ...(results[0] === undefined || results[1] === undefined
      ? []
      : compareModels(tool, "result", results[0], results[1])),
    ...(isBrief ? [] : compareMessages(before, after)),
  ];
}

/** The schema of all requests that a tool accepts. */
function requestOf({ strict, ...tool }: ContractTool): NonNullable<ContractTool["request-schema"]> {
  const schema = tool["request-schema"] ?? noRequest;
  return strict === true ? (closed(schema) as JsonObject) : schema;
}

/** Copies a schema so that its objects allow only declared keys. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (!isObject(value)) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, closed(item)]));
  const isOpen = inner["type"] === "object" && !("additionalProperties" in inner);
  return isOpen ? { ...inner, additionalProperties: false } : inner;
}

function compareOffers(
  kind: "prompt" | "resource",
  before: readonly ServiceDefinitionOffer[] = [],
  after: readonly ServiceDefinitionOffer[] = [],
  isBrief: boolean,
): readonly Finding[] {
  if (isBrief) return [];
  const found = before.flatMap((offer): readonly Finding[] => {
    const now = after.find(({ name }) => name === offer.name);
    return now === undefined ? [removedOffer(kind, offer)] : compareOffer(kind, offer, now);
  });
  const known = new Set(before.map(({ name }) => name));
  for (const { name } of after) {
    if (known.has(name)) continue;
    found.push({ severity: "additive", tool: name, place: kind, rule: `${kind}-added`, message: "is new" });
  }
  return found;
}

function removedOffer(kind: "prompt" | "resource", offer: ServiceDefinitionOffer): Finding {
  const value = offer.uri ?? (exampleOf(offer["request-schema"]) as JsonValue);
  return {
    severity: "breaking",
    tool: offer.name,
    place: kind,
    rule: `${kind}-removed`,
    message: "was removed or renamed",
    witness: { value, problem: `There is no ${kind} ${JSON.stringify(offer.uri ?? offer.name)}.` },
  };
}

function compareOffer(
  kind: "prompt" | "resource",
  before: ServiceDefinitionOffer,
  after: ServiceDefinitionOffer,
): readonly Finding[] {
  const tool = before.name;
  const found: Finding[] = [];
  if (before.uri !== after.uri) {
    found.push({
      severity: "breaking",
      tool,
      place: "uri",
      rule: "uri-changed",
      message: `${before.uri ?? "none"} became ${after.uri ?? "none"}`,
      witness: { value: before.uri ?? null, problem: `There is no resource ${JSON.stringify(before.uri)}.` },
    });
  }
  if (before["mime-type"] !== after["mime-type"]) {
    const message = `the media type ${before["mime-type"] ?? "none"} became ${after["mime-type"] ?? "none"}`;
    found.push({ severity: "behaviour", tool, place: "mime-type", rule: "media-type-changed", message });
  }
  const facts = toolFacts.filter(({ place }) => place === "scopes" || place === "title" || place === "description");
  const [old, now] = [before, after].map((offer): ContractTool => ({ ...offer, annotations: {} })) as [
    ContractTool,
    ContractTool,
  ];
  for (const { place, compare } of facts) {
    for (const { problem, ...change } of compare(old, now)) {
      const value = exampleOf(before["request-schema"]) as JsonValue;
      found.push({ tool, place, ...change, ...(problem !== undefined && { witness: { value, problem } }) });
    }
  }
  found.push(
    ...compareModels(tool, "request", before["request-schema"] ?? noRequest, after["request-schema"] ?? noRequest),
  );
  return found.map((one) => ({ ...one, place: `${kind} ${one.place}` }));
}
