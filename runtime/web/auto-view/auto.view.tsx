import type { VNode } from "preact";
import type { ViewFacts } from "../../contract/contract.ts";
import { viewFactsId } from "../../contract/view-page.ts";
import type { Json } from "../console/base/json.ts";
import { useTool } from "../../view/index.ts";
import { Content } from "./content.tsx";
import { Result } from "./result.tsx";
import "./auto.css";

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
