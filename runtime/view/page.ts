/** `tenon/internal/view`: makes the document of a view when a host reads it. */
import type { ViewFacts } from "../contract/contract.ts";
import { viewFactsId } from "../contract/view-page.ts";
import { viewTexts } from "./view-texts.ts";

/** Placeholder in the document for the security policy, the data about the tool and the first script. */
const headMark = "<!--tenon:head-->";

/**
 * Returns a function that makes a view's document.
 *
 * @param html The document, with a mark in its head.
 * @param hashes Expressions of a content security policy that allow its own scripts.
 */
export function viewPage(html: string, hashes: readonly string[]): (facts: ViewFacts) => string {
  const { script, scriptHash } = viewTexts;
  // Security policy of the page. Hosts have their own policies; this one applies in all hosts, and also blocks scripts
  // in a tool's data.
  const policy = [
    "default-src 'none'",
    `script-src ${[scriptHash, ...hashes].join(" ")}`,
    "style-src 'unsafe-inline'",
    "img-src data: blob:",
    "media-src data: blob:",
    "font-src data:",
    "form-action 'none'",
    "base-uri 'none'",
  ].join("; ");
  const hasTitle = /<title\b/i.test(html);
  return (facts) => {
    const title = hasTitle ? "" : `<title>${escapeText(facts.title ?? facts.name)}</title>`;
    const data = JSON.stringify(facts).replaceAll("<", String.raw`\u003c`);
    const head =
      `<meta http-equiv="Content-Security-Policy" content="${policy}">${title}` +
      `<script type="application/json" id="${viewFactsId}">${data}</script><script>${script}</script>`;
    return html.replace(headMark, () => head);
  };
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
