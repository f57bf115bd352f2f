import type { VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { formatBytes } from "../base/format.ts";
import { parseJson, toJson } from "../base/json.ts";
import type { Answer } from "../client/answer.ts";
import { Code } from "../parts/code.tsx";
import { DataTable, rowsOf } from "../parts/data-table.tsx";
import { JsonTree } from "../parts/json-tree.tsx";
import { Tabs } from "../parts/tabs.tsx";
import type { Tab } from "../parts/tabs.tsx";
import { Facts } from "../parts/facts.tsx";
import { useLongText } from "../parts/long-text.tsx";
import { Dim, Remark } from "../parts/notice.tsx";

const longestText = 20_000;
/** Pictures that cannot hold a script; SVG is shown as text. */
const picture = /^image\/(?:png|jpeg|gif|webp|avif|bmp)/;

/** A result, or an error, by its type. */
export function ResultView({ answer }: { readonly answer: Answer }): VNode {
  const { type, text } = answer;
  const json = useMemo(
    () => (text === undefined || !/json|vnd\.platform/.test(type) ? undefined : parseJson(text)),
    [text],
  );
  const tabs: Tab[] = [];
  if (json !== undefined) {
    const rows = rowsOf(json);
    if (rows !== undefined) tabs.push({ name: "Table", content: () => <DataTable rows={rows} /> });
    tabs.push({ name: "Tree", content: () => <JsonTree value={json} /> });
  }
  tabs.push(
    text === undefined
      ? { name: "Result", content: () => <Media answer={answer} /> }
      : { name: "Text", content: () => <LongText text={json === undefined ? text : toJson(json, true)} /> },
    { name: "Headers", content: () => <Facts rows={answer.headers} /> },
  );
  return <Tabs label="Result" tabs={tabs} />;
}

function LongText({ text }: { readonly text: string }): VNode {
  const [shown, rest] = useLongText(text, longestText);
  return (
    <>
      <Code>{shown}</Code>
      {rest}
    </>
  );
}

/** Bytes as what they are: a picture, sound, a film, else a file. */
function Media({ answer: { body, type } }: { readonly answer: Answer }): VNode {
  const [address, setAddress] = useState<string | undefined>(undefined);
  useEffect(() => {
    const made = URL.createObjectURL(body);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [body]);
  if (address === undefined) return <Remark>…</Remark>;
  const name = `result.${/^[\w-]+\/([\w-]+)/.exec(type)?.[1] ?? "bin"}`;
  return (
    <figure>
      {picture.test(type) && <img src={address} alt="The result as a picture" />}
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
