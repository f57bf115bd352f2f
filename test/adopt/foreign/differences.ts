import { compareContracts } from "../../../cli/contracts/compare-contracts.ts";
import type { ContractTool } from "../../../cli/contracts/contract.ts";
import type { JsonSchema } from "../../../runtime/contract/contract.ts";
import { plainSchema } from "./plain-schema.ts";

/** A tool with its request, as contracts are compared. */
export function toolOf(name: string, request: object | undefined): ContractTool {
  const schema = request && (plainSchema(request) as JsonSchema);
  return { name, description: "", annotations: {}, ...(schema && { "request-schema": schema }) };
}

/** Differences between the requests of two tools by meaning, as `tenon check --against` finds them. */
export function differences(before: ContractTool, after: ContractTool): readonly string[] {
  const contract = (tool: ContractTool): Parameters<typeof compareContracts>[0] => ({
    name: "",
    version: "",
    tools: [tool],
    isBrief: true,
  });
  return compareContracts(contract(before), contract(after))
    .filter(({ severity, place }) => severity !== "wording" && place.startsWith("request"))
    .map(({ place, message, severity }) => `${severity} ${place}: ${message}`);
}
