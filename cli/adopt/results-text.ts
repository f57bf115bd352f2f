/**
 * Text of the module `adopted-results.ts`. It is generated only if some tools still return results in the form of MCP.
 */
export const resultsText = `import { Content, ValueError } from "tenon";

interface Block {
  readonly type?: string;
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
  readonly uri?: string;
  readonly name?: string;
  readonly resource?: { readonly uri: string; readonly text?: string; readonly blob?: string; readonly mimeType?: string };
}

/**
 * Makes what a tool of tenon returns of a result in the form of MCP: a text, a block, or \`{ content, isError }\`.
 * Rejects with \`ValueError\` if it is an error.
 */
export async function contentOf(given: unknown): Promise<(string | Content)[]> {
  const result = await given;
  if (result === undefined || result === null) return [];
  if (typeof result !== "object") return [String(result)];
  const { content, isError } = result as { readonly content?: readonly Block[]; readonly isError?: boolean };
  const blocks = Array.isArray(content) ? content : "type" in result ? [result as Block] : undefined;
  if (blocks === undefined) return [JSON.stringify(result)];
  if (isError === true) throw new ValueError(blocks.map(({ text = "" }) => text).join("\\n"));
  return blocks.map(contentOfBlock);
}

function contentOfBlock(block: Block): string | Content {
  const { text, data = "", mimeType = "application/octet-stream", uri = "", name, resource } = block;
  switch (block.type) {
    case "text":
      return text ?? "";
    case "image":
      return Content.image(Buffer.from(data, "base64"), mimeType);
    case "audio":
      return Content.audio(Buffer.from(data, "base64"), mimeType);
    case "resource_link":
      return Content.link(uri, name === undefined ? {} : { name });
    case "resource":
      return Content.resource(
        resource?.uri ?? uri,
        resource?.blob === undefined ? (resource?.text ?? "") : Buffer.from(resource.blob, "base64"),
        resource?.mimeType,
      );
    default:
      return JSON.stringify(block);
  }
}
`;
