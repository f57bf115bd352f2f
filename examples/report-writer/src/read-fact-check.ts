/** Part of a fact checker's answer that the report needs. */
export interface FactCheck {
  readonly references: readonly { readonly reference: string; readonly verdict: string; readonly reason: string }[];
  readonly confirmed: number;
}

/** Another service's answer: checked, since it is another one's. Throws when it is none of a fact checker. */
export function readFactCheck(answer: unknown): FactCheck {
  const { references, confirmed } = isRecord(answer) ? answer : {};
  if (!Array.isArray(references) || typeof confirmed !== "number" || !references.every(isChecked)) {
    throw new TypeError(`The fact checker's answer is none: ${JSON.stringify(answer)?.slice(0, 300)}`);
  }
  return { references, confirmed };
}

function isChecked(value: unknown): value is FactCheck["references"][number] {
  return isRecord(value) && ["reference", "verdict", "reason"].every((key) => typeof value[key] === "string");
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
