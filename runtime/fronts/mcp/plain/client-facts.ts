import { isRecord } from "../port/message-shape.ts";

/** True for client information that every revision of the protocol allows; false when in doubt. */
export function isClientInfo(value: unknown): boolean {
  if (!isRecord(value) || typeof value["name"] !== "string" || typeof value["version"] !== "string") return false;
  for (const key in value) {
    switch (key) {
      case "name":
      case "version":
        break;
      case "title":
      case "websiteUrl":
      case "description":
        if (typeof value[key] !== "string") return false;
        break;
      default:
        return false;
    }
  }
  return true;
}

/** The same for the client's capabilities. */
export function isClientCapabilities(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isRecord(value)) return false;
  for (const key in value) {
    const declared = value[key];
    switch (key) {
      case "experimental":
      case "extensions":
        if (!isRecord(declared) || !hasRecordsOnly(declared)) return false;
        break;
      case "sampling":
      case "elicitation":
        if (!isRecord(declared) || !hasRecordsOnly(declared)) return false;
        break;
      case "roots":
        if (!isRecord(declared) || !isFlag(declared["listChanged"])) return false;
        break;
      default:
        return false;
    }
  }
  return true;
}

function hasRecordsOnly(value: Readonly<Record<string, unknown>>): boolean {
  for (const key in value) if (!isRecord(value[key])) return false;
  return true;
}

function isFlag(value: unknown): boolean {
  return value === undefined || typeof value === "boolean";
}
