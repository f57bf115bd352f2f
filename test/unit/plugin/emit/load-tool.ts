import * as internal from "../../../../runtime/internal.ts";
import { emitTool, type EmittedTool } from "../../../../plugin/emit/tool-module.ts";
import { importAlias } from "../../../../plugin/emit/text/scope.ts";
import { runtimeNames } from "../../../../plugin/emit/text/runtime-names.ts";
import type { ToolModel } from "../../../../plugin/model/tool.ts";
import type { TypeModel } from "../../../../plugin/model/type.ts";
import type { ToolDefinition, ToolFunctions } from "../../../../runtime/contract/contract.ts";

/** A model with one request and one result, everything else as short as can be. */
export function toolModel(part: Partial<ToolModel> = {}): ToolModel {
  return {
    name: "probe",
    binding: "probe",
    position: { file: "src/probe.ts", line: 3, column: 1, length: 5 },
    insertion: { offset: 0 },
    description: "Probes.",
    signature: "probe(): void",
    parameters: part.request === undefined ? [] : [{ kind: "request" }],
    result: { kind: "none" },
    definitions: {},
    ...part,
  };
}

export interface LoadedTool {
  readonly emitted: EmittedTool;
  readonly definition: ToolDefinition;
  readonly isRequest: (wire: unknown) => boolean;
  readonly decodeRequest: (wire: unknown) => unknown;
  readonly encodeResult: (value: unknown) => unknown;
  readonly isResult: (wire: unknown) => boolean;
  readonly call: (request: unknown, job?: unknown) => unknown;
}

const runtime: Readonly<Record<string, unknown>> = { ...internal };

/** Emits a tool and evaluates its code as strict code, with `probe` as the author's function. */
export function loadTool(model: ToolModel, binding: unknown = (value: unknown) => value): LoadedTool {
  const emitted = emitTool(model);
  let registered: { definition: ToolDefinition; functions: ToolFunctions } | undefined;
  const helpers = runtimeNames.map((name) =>
    name === "defineTool"
      ? (definition: ToolDefinition, functions: ToolFunctions) => {
          registered = { definition, functions };
        }
      : runtime[name],
  );
  const evaluate = new Function(...runtimeNames.map(importAlias), "probe", `"use strict";${emitted.code}`) as (
    ...values: unknown[]
  ) => void;
  evaluate(...helpers, binding);
  if (registered === undefined) throw new Error("The generated code registered nothing.");
  const { definition, functions } = registered;
  return {
    emitted,
    definition,
    isRequest: functions.isRequest ?? (() => true),
    decodeRequest: (functions.decodeRequest as ((wire: unknown) => unknown) | undefined) ?? ((wire) => wire),
    encodeResult: (functions.encodeResult as ((value: unknown) => unknown) | undefined) ?? ((value) => value),
    isResult: functions.isResult ?? (() => true),
    call: functions.call as (request: unknown, job?: unknown) => unknown,
  };
}

/** A tool whose request and result have one field `value` of a type. */
export function loadField(type: TypeModel, definitions: ToolModel["definitions"] = {}): LoadedTool {
  const object: TypeModel = { kind: "object", fields: [{ key: "value", type }] };
  return loadTool(toolModel({ request: { type: object }, result: { kind: "json", type: object }, definitions }));
}
