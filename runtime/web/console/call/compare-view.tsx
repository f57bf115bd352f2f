import type { VNode } from "preact";
import { cut } from "../base/format.ts";
import { parseJson, toJson, type Json } from "../base/json.ts";
import { Facts } from "../parts/facts.tsx";
import { Remark } from "../parts/notice.tsx";

/** A difference between two answers; undefined: the value is absent. */
type Difference = readonly [pointer: string, before: Json | undefined, after: Json | undefined];

/** Maximum number of differences that are shown. */
const most = 200;

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

/** The differences between two values, by JSON Pointer. */
function differencesOf(
  before: Json | undefined,
  after: Json | undefined,
  at = "",
  found: Difference[] = [],
): readonly Difference[] {
  if (found.length >= most || toJson(before) === toJson(after)) return found;
  if (!isBranch(before) || !isBranch(after) || Array.isArray(before) !== Array.isArray(after)) {
    found.push([at, before, after]);
    return found;
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
    differencesOf(own(before, key), own(after, key), `${at}/${key}`, found);
  return found;
}

/** The value of a key, without what all objects inherit, such as `constructor`. */
function own(branch: Readonly<Record<string, Json>>, key: string): Json | undefined {
  return Object.hasOwn(branch, key) ? branch[key] : undefined;
}

function isBranch(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === "object" && value !== null;
}
