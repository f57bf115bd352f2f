import type { ContentBlock } from "../contract/contract.ts";

/** Content blocks of a result, which a model or a person sees. */
export interface ContentResult {
  readonly content: readonly ContentBlock[];
}
