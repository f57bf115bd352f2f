/**
 * Makes the fragment of a link that carries a source: compressed, as base64 for addresses. Browsers send no fragment to
 * a server.
 */
export async function fragmentOf(source: string): Promise<string> {
  const stream = new Blob([source]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return `#source=${btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** Reads the source that a fragment carries; undefined if there is none, or if it is damaged. */
export async function sourceIn(fragment: string): Promise<string | undefined> {
  const [, text] = /^#source=([\w-]+)$/.exec(fragment) ?? [];
  if (text === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return await new Response(stream).text();
  } catch {
    return undefined;
  }
}
