import type { VNode } from "preact";
import type { ViewFacts } from "../../contract/contract.ts";
import { viewFactsId } from "../../contract/view-page.ts";
import type { Json } from "../console/base/json.ts";
import { useTool } from "../../view/index.ts";
import { Result } from "./result.tsx";
import "./auto.css";
import type { ViewContent } from "../../view/view-types.ts";

const facts = JSON.parse(document.querySelector(`#${viewFactsId}`)?.textContent ?? "{}") as ViewFacts;

/** The view of a tool's result by its schema: table, chart, key and value, or the content itself. */
export default function AutoView(): VNode {
  const { status, result, content, error, progress, host, openLink } = useTool<() => Json>();
  const isData = result !== undefined && (facts.kind === "json" || facts.kind === "text");
  return (
    <main aria-busy={status === "running" || status === "waiting"}>
      <h1>{facts.title ?? facts.name}</h1>
      {error !== undefined && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      {status === "waiting" && <p class="quiet">Waiting for the call.</p>}
      {status === "running" && (
        <p class="quiet" role="status">
          {progress?.message ?? "Running…"}
        </p>
      )}
      {status === "done" && isData && <Result value={result} schema={facts.schema ?? {}} locale={host.locale} />}
      {status === "done" && !isData && <Content blocks={content} onLink={(url) => void openLink(url)} />}
    </main>
  );
}

/** Blocks of content: text, pictures, sound, links. */
function Content({
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
