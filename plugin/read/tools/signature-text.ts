import type { ObjectType } from "../../model/type.ts";
import { fieldText, modelText, otherKeys, otherKeyText } from "../types/model-text.ts";
import type { ResultModel } from "../../model/tool.ts";

/** One line that shows how a tool is called, for example `isPrime(number: number): PrimeResult`. */
export function signatureText(name: string, request: ObjectType | undefined, result: ResultModel): string {
  const fields = (request?.fields ?? []).map(fieldText);
  if (request !== undefined) fields.push(...otherKeys(request).map(otherKeyText));
  return `${name}(${fields.join(", ")}): ${resultText(result)}`;
}

function resultText(result: ResultModel): string {
  switch (result.kind) {
    case "none":
      return "void";
    case "bytes":
      return "Uint8Array";
    case "binary":
      return "BinaryResult";
    case "content":
      return "Content[]";
    default:
      return result.type === undefined ? "unknown" : modelText(result.type);
  }
}
