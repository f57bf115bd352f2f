import { Service } from "tenon";

export const service = new Service({ name: "Two tools" });

/** Was the only tool. @tool */
export function first(): string {
  return "first";
}

/**
 * Keeps its path.
 * @tool
 * @path /tool
 */
export function kept(): string {
  return "kept";
}
