import type { VNode } from "preact";
import { cut } from "../base/format.ts";
import { parseJson, toJson, type Json } from "../base/json.ts";
import { Facts } from "../parts/facts.tsx";
import { Remark } from "../parts/notice.tsx";
import { differencesOf } from "./compare.ts";

/** Shows the differences between an answer and the previous one. Texts that are not JSON are compared line by line. */
export function CompareView({ before, after }: { readonly before: string; readonly after: string }): VNode {
  const all = differencesOf(read(before), read(after));
  if (all.length === 0) return <Remark>Same as before.</Remark>;
  return (
    <Facts
      rows={all.map(([pointer, one, other]) => [
        pointer,
        <>
          {one !== undefined && <del>{cut(toJson(one), 500)}</del>}{" "}
          {other !== undefined && <ins>{cut(toJson(other), 500)}</ins>}
        </>,
      ])}
    />
  );
}

function read(text: string): Json {
  return parseJson(text) ?? text.split("\n");
}
