import type { CheckedReference } from "./check-facts.ts";

const patience = 10_000;
/** Bytes of a page that are read; titles stand at its beginning. */
const maxPage = 512 * 1024;

/** Reads the page of a reference and looks for its title. Throws only when `signal` is aborted. */
export async function checkReference(reference: string, signal: AbortSignal): Promise<CheckedReference> {
  const url = addressOf(reference);
  if (url === undefined) return { reference, verdict: "no-address", reason: "It has no address." };
  const title = /["“„«]([^"”“»]{3,300})["”“»]/.exec(reference)?.[1];
  if (title === undefined) return { reference, url, verdict: "no-title", reason: "It has no quoted title." };
  let page: string;
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]) });
    if (!response.ok) {
      await response.body?.cancel();
      return { reference, url, verdict: "unreachable", reason: `The page answers ${response.status}.` };
    }
    page = await beginning(response);
  } catch {
    signal.throwIfAborted();
    return { reference, url, verdict: "unreachable", reason: "Nobody answers there." };
  }
  return words(page).includes(words(title))
    ? { reference, url, verdict: "confirmed", reason: `The page has the title "${title}".` }
    : { reference, url, verdict: "title-not-found", reason: `The page does not have the title "${title}".` };
}

function addressOf(reference: string): string | undefined {
  const text = /https?:\/\/[^\s<>"”]+/i.exec(reference)?.[0]?.replace(/[.,;:)\]]+$/, "");
  return text === undefined ? undefined : (URL.parse(text)?.href ?? undefined);
}

async function beginning({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maxPage) break;
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** Letters and digits only: quotes, entities and spaces differ from page to page. */
function words(text: string): string {
  return text
    .replaceAll(/<[^>]*>|&#?\w{2,8};/g, " ")
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
