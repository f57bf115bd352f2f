import type { ContentBlock } from "../contract/contract.ts";

/** The pieces of a result that a model or a person sees. */
export interface ContentResult {
  readonly content: readonly ContentBlock[];
}
