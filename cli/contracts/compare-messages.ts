import type { JsonValue } from "../../runtime/contract/contract.ts";
import type { ServiceDefinitionWait } from "../../runtime/contract/service-definition.ts";
import { compareModels } from "./compare-models.ts";
import { type ContractTool, exampleOf } from "./contract.ts";
import type { FactChange, Finding } from "./finding.ts";
import { compareScopes } from "./tool-facts.ts";

/** The differences between the messages that the jobs of a tool wait for, by what their senders may send. */
export function compareMessages(before: ContractTool, after: ContractTool): readonly Finding[] {
  const { name: tool, waits: old = [] } = before;
  const { waits: now = [] } = after;
  const found = old.flatMap((wait): readonly Finding[] => {
    const same = now.find(({ name }) => name === wait.name);
    const place = `message ${wait.name}`;
    const schema = wait["message-schema"] ?? anything;
    const changes = same === undefined ? [removed(wait)] : [...compareKeys(wait, same), ...scopes(wait, same)];
    const facts = changes.map(({ problem, ...change }): Finding => {
      if (problem === undefined) return { tool, place, ...change };
      return { tool, place, ...change, witness: { value: exampleOf(schema) as JsonValue, problem } };
    });
    if (same === undefined) return facts;
    const models = compareModels(tool, "request", schema, same["message-schema"] ?? anything);
    return [...facts, ...models.map((one) => ({ ...one, place: one.place.replace("request", () => place) }))];
  });
  const known = new Set(old.map(({ name }) => name));
  const added = now.filter(({ name }) => !known.has(name));
  return [...found, ...added.map(({ name }): Finding => ({ tool, place: `message ${name}`, ...isNew }))];

  /** A message without a scope of its own needs those of the tool, whose changes are reported once. */
  function scopes(old: ServiceDefinitionWait, now: ServiceDefinitionWait): readonly FactChange[] {
    if (old.scope === now.scope) return [];
    const needed = ({ scope }: ServiceDefinitionWait, tool: ContractTool): ContractTool =>
      scope === undefined ? tool : { ...tool, scopes: [scope] };
    return compareScopes(needed(old, before), needed(now, after));
  }
}

/** Schema of a message whose definition has none. */
const anything = {};

const isNew = {
  severity: "behaviour",
  rule: "message-added",
  message: "is new: jobs may wait for it",
} as const;

function removed({ name }: ServiceDefinitionWait): FactChange {
  const problem = `The tool of the job does not wait for a message ${JSON.stringify(name)}.`;
  return { severity: "breaking", rule: "message-removed", message: "was removed or renamed", problem };
}

function compareKeys(
  { name, keyed: before }: ServiceDefinitionWait,
  { keyed: after }: ServiceDefinitionWait,
): readonly FactChange[] {
  if ((before === true) === (after === true)) return [];
  const [message, problem] =
    after === true
      ? ["needs a key", `The message ${name} needs a key.`]
      : ["has no key any more", `The message ${name} has no key.`];
  return [{ severity: "breaking", rule: "message-key-changed", message, problem }];
}
