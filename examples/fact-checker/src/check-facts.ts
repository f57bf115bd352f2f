import type { JobContext } from "tenon";
import { checkReference } from "./check-reference.ts";

/**
 * References to check.
 * @schema urn:example:schema.fact-checker.request.1
 */
export interface FactCheckRequest {
  /**
   * References as they stand in a text, each with the quoted title of a page and its address.
   * @minItems 1 @maxItems 100
   * @example ["[2] \"What Is The Solar System?\" Space.com. https://www.space.com/solar-system.html"]
   */
  references: string[];
}

/** Verdict on one reference. */
export interface CheckedReference {
  /** The reference as it was given. */
  reference: string;
  /**
   * `confirmed`: the page has the title. `title-not-found`: it has not. `no-title`, `no-address`: there is nothing to
   * check. `unreachable`: there is no such page, or nobody answers.
   */
  verdict: "confirmed" | "title-not-found" | "no-title" | "no-address" | "unreachable";
  /** The address that was asked. */
  url?: string;
  /** Why, in a sentence. */
  reason: string;
}

/**
 * The references with their verdicts, in their order.
 * @schema urn:example:schema.fact-checker.1
 */
export interface FactCheck {
  /** One for each reference, in the same order. */
  references: CheckedReference[];
  /** Number of confirmed references. @type uint32 */
  confirmed: number;
}

/** Pages that are asked for at the same time. */
const atOnce = 8;

/**
 * Checks whether the references of a text lead to the pages that they name.
 *
 * For each reference the page behind its address is read, and the quoted title is looked for in it. Use it before you
 * quote: addresses that were made up, or have moved, are found in seconds.
 *
 * @tool
 * @title Check references
 * @readonly
 * @idempotent
 * @openWorld
 */
export async function checkFacts({ references }: FactCheckRequest, job: JobContext): Promise<FactCheck> {
  const checked: CheckedReference[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < references.length) {
      const index = next++;
      const reference = references[index] ?? "";
      checked[index] = await job.report.step(`reference:${index + 1}`, { message: reference }, async (step) => {
        const found = await checkReference(reference, job.signal);
        step.finished({ message: found.reason, verdict: found.verdict });
        return found;
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { references: checked, confirmed: checked.filter(({ verdict }) => verdict === "confirmed").length };
}
