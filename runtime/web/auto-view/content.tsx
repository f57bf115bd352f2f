import type { VNode } from "preact";
import type { ViewContent } from "../../view/view-types.ts";

/** Blocks of content: text, pictures, sound, links. */
export function Content({
  blocks,
  onLink,
}: {
  readonly blocks: readonly ViewContent[];
  readonly onLink: (url: string) => void;
}): VNode {
  if (blocks.length === 0) return <p class="quiet">Done.</p>;
  return (
    <>
      {blocks.map((block) => (
        <Block block={block} onLink={onLink} />
      ))}
    </>
  );
}

function Block({ block, onLink }: { readonly block: ViewContent; readonly onLink: (url: string) => void }): VNode {
  switch (block.type) {
    case "text":
      return <p class="text">{block.text}</p>;
    case "image":
      return <img src={`data:${block.mimeType};base64,${block.data}`} alt="Result" />;
    case "audio":
      return <audio controls src={`data:${block.mimeType};base64,${block.data}`} />;
    case "resource":
      return <p class="text">{"text" in block.resource ? block.resource.text : block.resource.uri}</p>;
    case "resource_link":
      return (
        <button type="button" onClick={() => onLink(block.uri)}>
          {block.title ?? block.name}
        </button>
      );
  }
}
