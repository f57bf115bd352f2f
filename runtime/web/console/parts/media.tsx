import type { VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { formatBytes } from "../base/format.ts";
import { Dim, Remark } from "./notice.tsx";

/**
 * Matches media types of pictures. SVG is safe here: as the source of an image, it runs no script and loads nothing.
 */
const picture = /^image\/(?:png|jpeg|gif|webp|avif|bmp|svg\+xml)/;
const drawing = "image/svg+xml";

/** Shows bytes by their media type: as a picture, sound, or video; any other type as a file. */
export function Media({ body, type }: { readonly body: Blob; readonly type: string }): VNode {
  const [address, setAddress] = useState<string | undefined>(undefined);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    setBroken(false);
    const made = URL.createObjectURL(body);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [body]);
  if (address === undefined) return <Remark>…</Remark>;
  const name = `result.${/^[\w-]+\/([\w-]+)/.exec(type)?.[1] ?? "bin"}`;
  return (
    <figure>
      {picture.test(type) && !isBroken && <img src={address} alt="Result" onError={() => setBroken(true)} />}
      {isBroken && <Remark>The browser cannot read this picture.</Remark>}
      {type.startsWith("audio/") && <audio controls src={address} />}
      {type.startsWith("video/") && <video controls src={address} />}
      <figcaption>
        <a href={address} download={name}>
          Download
        </a>{" "}
        <Dim>
          {type || "unknown type"}, {formatBytes(body.size)}
        </Dim>
      </figcaption>
    </figure>
  );
}

/** Shows the text of an SVG document as a picture. */
export function Drawing({ text }: { readonly text: string }): VNode {
  const body = useMemo(() => new Blob([text], { type: drawing }), [text]);
  return <Media body={body} type={drawing} />;
}
