import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { recordIn, textIn } from "../base/json.ts";
import { Dim } from "../parts/notice.tsx";
import { later } from "../parts/later.tsx";
import { Outside } from "../parts/linked.tsx";
import { Prose } from "../parts/prose.tsx";

const Media = later(async () => (await import("../parts/media.tsx")).Media);

/** A text, picture, sound, resource or link of a result. */
export type Block = Readonly<Record<string, unknown>>;

/** Shows contents: texts, pictures, sound, resources, links. */
export function ContentView({ blocks }: { readonly blocks: readonly Block[] }): VNode {
  return (
    <ol class="blocks">
      {blocks.map((block) => (
        <li>
          <OneBlock block={block} />
        </li>
      ))}
    </ol>
  );
}

function OneBlock({ block }: { readonly block: Block }): VNode {
  const at = block["resource"] === undefined ? block : recordIn(block, "resource");
  const [text, uri, type = ""] = [textIn(at, "text"), textIn(at, "uri"), textIn(at, "mimeType")];
  const data = textIn(at, "data") ?? textIn(at, "blob");
  const body = useMemo(() => (data === undefined ? undefined : bytesOf(data, type)), [data, type]);
  const name = textIn(at, "title") ?? textIn(at, "name") ?? uri;
  return (
    <>
      {block["role"] !== undefined && <span class="badge">{textIn(block, "role")}</span>}
      {uri !== undefined && (
        <p>
          {/^https?:/.test(uri) ? <Outside to={uri}>{name}</Outside> : <code>{name}</code>}{" "}
          <Dim>
            {name !== uri && uri} {textIn(at, "description")}
          </Dim>
        </p>
      )}
      {text !== undefined && <Prose text={text} />}
      {body !== undefined && <Media body={body} type={type} />}
    </>
  );
}

/** Decodes a base64 text; empty if the text is not base64. */
function bytesOf(text: string, type: string): Blob {
  try {
    return new Blob([Uint8Array.from(atob(text), (character) => character.charCodeAt(0))], { type });
  } catch {
    return new Blob();
  }
}
