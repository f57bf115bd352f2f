import type { ToolDefinition } from "../../runtime/contract/contract.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { ToolModel } from "../model/tool.ts";
import type { JsonLiteral } from "../model/type.ts";
import { dataTexts } from "./text/data-text.ts";
import { decoderName } from "./codec/decode.ts";
import { encoderName } from "./codec/encode.ts";
import { memberText } from "./text/js-text.ts";
import { portabilityWarnings } from "./portability.ts";
import { sizeWarnings } from "./size-warnings.ts";
import type { RuntimeName } from "./text/runtime-names.ts";
import { autoViewSpecifier, viewSuffix } from "../model/view-specifier.ts";
import { createScope, isInherited, type Scope } from "./text/scope.ts";
import { toolDefinition } from "./tool-definition.ts";
import { rootType } from "./facts/type-facts.ts";
import { validatorName } from "./validator/validator.ts";

/** Generated code and data of one tool. */
export interface EmittedTool {
  /** One line of JavaScript: a statement that registers the tool. */
  readonly code: string;
  /** Names imported from `tenon/internal`, each under its alias. */
  readonly imports: readonly RuntimeName[];
  readonly definition: ToolDefinition;
  /** Portability warnings (5xx). */
  readonly diagnostics: readonly Diagnostic[];
}

/** Turns the model of a tool into its definition and the code that registers it. */
export function emitTool(model: ToolModel): EmittedTool {
  const definition = toolDefinition(model);
  const scope = createScope(model);
  const functions = functionsText(model, scope);
  const [data] = dataTexts([definition as unknown as JsonLiteral], scope);
  const call = `${scope.helper("defineTool")}(${data},${functions})`;
  const constants = [...scope.functions, ...scope.constants];
  const code = constants.length === 0 ? call : `{const ${constants.join()};${call}}`;
  return {
    code,
    imports: [...scope.imports].toSorted(),
    definition,
    diagnostics:
      model.kind === undefined ? [...portabilityWarnings(model), ...sizeWarnings(model, definition, code)] : [],
  };
}

/**
 * Makes the object literal of a tool's functions. Functions that would accept everything or change nothing are left
 * out.
 */
function functionsText(model: ToolModel, scope: Scope): string {
  const { request, result, definitions } = model;
  const entries: [string, string | undefined][] = [
    ["author", model.binding],
    ["call", callText(model, scope)],
  ];
  if (request !== undefined) {
    const type = rootType(request.type, request.urn, definitions);
    entries.push(["isRequest", validatorName(type, "input", scope)], ["decodeRequest", decoderName(type, scope)]);
  }
  if (result.type !== undefined) {
    const type = rootType(result.type, result.urn, definitions);
    entries.push(["encodeResult", encoderName(type, scope)], ["isResult", validatorName(type, "output", scope)]);
  }
  entries.push(["view", viewText(model)], ["limits", limitsText(model, scope)]);
  if (model.priorities !== undefined) entries.push(["order", scope.helper("byHeadStart")]);
  return `{${entries.flatMap(([key, text]) => (text === undefined ? [] : [`${key}:${text}`])).join()}}`;
}

/** Makes the text of a function that imports the view; the plugin's hooks convert the view's file to a module. */
function viewText({ view }: ToolModel): string | undefined {
  if (view === undefined) return undefined;
  const specifier = view.file === "auto" ? autoViewSpecifier : `${view.file}${viewSuffix}`;
  return `()=>import(${JSON.stringify(specifier)})`;
}

/** Makes the text of a function that determines the limit and the head start of a call. */
function limitsText({ limit, rate, debounce, priorities }: ToolModel, scope: Scope): string | undefined {
  const first = limit ?? rate ?? debounce;
  if (first === undefined && priorities === undefined) return undefined;
  const helper = scope.helper("limitsOf");
  return first?.numeric === true ? `(t,c)=>${helper}(t,c,!0)` : helper;
}

/** Makes the call of the author's function with its own parameter list. */
function callText({ binding, parameters }: ToolModel, scope: Scope): string {
  const request = freeName("r", binding);
  const job = freeName("j", binding);
  const texts = parameters.map((parameter) => {
    if (parameter.kind === "request") return request;
    if (parameter.kind === "job") return job;
    const value = isInherited(parameter.key)
      ? `${scope.helper("own")}(${request},${JSON.stringify(parameter.key)})`
      : memberText(request, parameter.key);
    return parameter.rest === true ? `...${value}||[]` : value;
  });
  const takesJob = parameters.some((parameter) => parameter.kind === "job");
  const takesRequest = parameters.some((parameter) => parameter.kind !== "job");
  const names = takesJob ? `(${request},${job})` : takesRequest ? request : "()";
  return `${names}=>${binding}(${texts.join()})`;
}

/** Returns a parameter name that does not shadow a part of the author's expression. */
function freeName(name: string, binding: string): string {
  return new RegExp(`\\b${name}\\b`).test(binding) ? freeName(`${name}_`, binding) : name;
}
