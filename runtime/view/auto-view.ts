/** `tenon/internal/auto-view`: the view of `@view auto`. The build of the package writes its document from `auto`. */
import { viewPage } from "./page.ts";
import type { ViewFacts } from "../contract/contract.ts";
import { autoTexts } from "./auto-texts.ts";

/** Makes the document. */
export const page: (facts: ViewFacts) => string = viewPage(autoTexts.html, autoTexts.hashes);
