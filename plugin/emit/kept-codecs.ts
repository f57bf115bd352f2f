import type { StepDefinition, WaitDefinition } from "../../runtime/contract/contract.ts";
import type { CodedCall, KeptCall, KeptCalls } from "../model/kept.ts";
import type { ToolModel } from "../model/tool.ts";
import type { JsonLiteral } from "../model/type.ts";
import { dataTexts } from "./text/data-text.ts";
import { decoderName } from "./codec/decode.ts";
import { encoderName } from "./codec/encode.ts";
import type { Insertion, InsertedStatement } from "./insert-tools.ts";
import { fingerprintOf } from "./schema/fingerprint.ts";
import { fullSchema } from "./schema/json-schema.ts";
import { namePrefix } from "./text/js-text.ts";
import { createScope, type Scope } from "./text/scope.ts";
import type { Definitions } from "./facts/type-facts.ts";
import { validatorName } from "./validator/validator.ts";

const functionName = `${namePrefix}_kept`;

/**
 * Generates one function at the end of a module, which creates the codecs for its stored values when the first codec is
 * needed. Also generates the argument of each call.
 */
export function emitKept({ calls, end, definitions }: KeptCalls): {
  readonly statement: InsertedStatement;
  readonly calls: readonly Insertion[];
} {
  const scope = createScope(
    { name: "kept", binding: functionName, result: { kind: "none" }, definitions },
    { takesEqualItems: true },
  );
  const schemas = calls.map(({ type }) =>
    type === undefined ? null : (fullSchema(type, definitions, "input") as JsonLiteral),
  );
  const texts = dataTexts(schemas, scope);
  const codecs = calls.map((call, index) => codecText(call, texts[index], scope));
  const constants = [...scope.functions, ...scope.constants];
  const made =
    constants.length === 0 ? `[${codecs.join()}]` : `(()=>{const ${constants.join()};return[${codecs.join()}]})()`;
  return {
    statement: {
      offset: end,
      // A function declaration is available before the module has run to its end.
      code: `function ${functionName}(i){return(${functionName}.all??=${made})[i]}`,
      imports: [...scope.imports].toSorted(),
    },
    calls: calls.map(({ offset, withoutOptions }, index) => ({
      offset,
      text: `${withoutOptions === true ? ",void 0" : ""},${functionName}(${index})`,
    })),
  };
}

/**
 * Validates like a request, whose `$schema` is optional: another sender writes a message, and another build may have
 * written the result of a step.
 */
function codecText(call: CodedCall, schema: string | undefined, scope: Scope): string {
  const { type, optional } = call;
  const entries: [string, string | undefined][] = [
    ["fingerprint", JSON.stringify(fingerprint(call, scope.definitions))],
  ];
  if (type === undefined) entries.push(["empty", "!0"]);
  else {
    entries.push(
      ["optional", optional === true ? "!0" : undefined],
      ["schema", schema],
      ["encode", call.kind === "wait" ? undefined : encoderName(type, scope)],
      ["is", validatorName(type, "input", scope)],
      ["decode", decoderName(type, scope)],
    );
  }
  return `{${entries.flatMap(([key, text]) => (text === undefined ? [] : [`${key}:${text}`])).join()}}`;
}

function fingerprint({ type, optional }: KeptCall, definitions: Definitions): string {
  if (type === undefined) return "none";
  return `${fingerprintOf(fullSchema(type, definitions, "output"))}${optional === true ? "?" : ""}`;
}

/** Lists the steps and waits of a tool, for its definition. */
export function keptDefinition({ kept }: ToolModel): {
  readonly steps?: readonly StepDefinition[];
  readonly waits?: readonly WaitDefinition[];
} {
  if (kept === undefined) return {};
  const { calls, definitions } = kept;
  const schemaOf = ({ type, kind }: KeptCall): Pick<StepDefinition, "schema"> =>
    type === undefined ? {} : { schema: fullSchema(type, definitions, kind === "wait" ? "input" : "output") };
  const named = calls.flatMap((call) => (call.name === undefined ? [] : [{ ...call, name: call.name }]));
  const steps = named
    .filter(({ kind }) => kind === "step")
    .map((call) => ({
      name: call.name,
      ...(call.keyed === true && { keyed: true as const }),
      ...(call.atMostOnce === true && { atMostOnce: true as const }),
      fingerprint: fingerprint(call, definitions),
      ...schemaOf(call),
    }));
  const waits = named
    .filter(({ kind }) => kind === "wait")
    .map((call) => ({
      name: call.name,
      ...(call.keyed === true && { keyed: true as const }),
      ...(call.scope !== undefined && { scope: call.scope }),
      ...schemaOf(call),
    }));
  return { ...(steps.length > 0 && { steps }), ...(waits.length > 0 && { waits }) };
}
