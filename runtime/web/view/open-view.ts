/** The first script of every view: connects the page with its host before the view's own script runs. */
import { config } from "zod";
import type { ViewFacts } from "../../contract/contract.ts";
import { viewFactsId, viewKey } from "../../contract/view-page.ts";
import { connect } from "./connect.ts";

// Disables code generation: compiled validators need `eval`, which the page's policy forbids.
config({ jitless: true });

const text = document.querySelector(`#${viewFactsId}`)?.textContent ?? "{}";
const page = { tool: connect(JSON.parse(text) as ViewFacts, "1") };
Object.defineProperty(globalThis, viewKey, { value: page });
