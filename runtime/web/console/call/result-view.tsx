import type { ComponentChildren, VNode } from "preact";
import { useMemo } from "preact/hooks";
import { isRecord, parseJson, toJson } from "../base/json.ts";
import type { Answer } from "../client/calls.ts";
import { Facts } from "../parts/facts.tsx";
import { later } from "../parts/later.tsx";
import { LongText } from "../parts/long-text.tsx";
import { Prose } from "../parts/prose.tsx";
import type { Schema } from "../schema/schema.ts";
import { Tabs, type Tab } from "../parts/tabs.tsx";
import { ContentView, contentsIn } from "./contents.ts";
import { ResultTree } from "./result-tree.tsx";

const Media = later(async () => (await import("../parts/media.tsx")).Media);
const ErrorView = later(async () => (await import("./error-view.tsx")).ErrorView);
const CompareView = later(async () => (await import("./compare-view.tsx")).CompareView);

interface ResultProps {
  readonly answer: Answer;
  /** Schema of the tool's results. */
  readonly schema?: Schema | undefined;
  /** Previous answer of the tool. */
  readonly before?: Answer | undefined;
  /** Goes to a field of the request's form. */
  readonly jump?: (pointer: string) => void;
}

/** Shows a result, or an error, by its type. */
export function ResultView({ answer, schema, before, jump }: ResultProps): VNode {
  const { type, text, status, body, headers } = answer;
  const json = useMemo(
    () => (text === undefined || !/json|vnd\.platform/.test(type) ? undefined : parseJson(text)),
    [text],
  );
  const tabs: Tab[] = [];
  const add = (name: string, content: () => ComponentChildren): void => void tabs.push({ name, content });
  const blocks = contentsIn(json);
  if (status >= 400 && isRecord(json)) add("Error", () => <ErrorView answer={answer} body={json} jump={jump} />);
  else if (blocks !== undefined) add("Result", () => <ContentView blocks={blocks} />);
  else if (json !== undefined) add("Result", () => <ResultTree value={json} schema={schema} />);
  else if (text === undefined || type.startsWith("image/")) add("Result", () => <Media body={body} type={type} />);
  else if (/^text\/(?:plain|markdown)/.test(type)) add("Result", () => <Prose text={text} />);
  if (text !== undefined) {
    add("Text", () => <LongText text={json === undefined ? text : toJson(json, true)} />);
    if (before?.text !== undefined) add("Compare", () => <CompareView before={before.text ?? ""} after={text} />);
  }
  add("Headers", () => <Facts rows={headers} />);
  return <Tabs label="Result" tabs={tabs} />;
}
