import { connectTool, type ToolState } from "tenon/view";
import type { Category } from "./annotation.ts";
import type { mapGeneOntology } from "./map-gene-ontology.ts";

const categories: Readonly<Record<Category, string>> = { BP: "Process", MF: "Function", CC: "Place in the cell" };
const tool = connectTool<typeof mapGeneOntology>();

tool.subscribe((state) => document.body.replaceChildren(filters(state), ...answer(state)));

/** A button for each category; pressing one calls the tool again with the same accessions. */
function filters({ args, status }: ToolState<typeof mapGeneOntology>): HTMLElement {
  const [request] = args ?? [];
  const buttons = (Object.keys(categories) as Category[]).map((category) => {
    const button = element("button", categories[category]);
    button.disabled = request === undefined || status === "running";
    button.ariaPressed = String(request?.category === category);
    // The state tells of a failure.
    const again = (): void => void tool.call({ ids: request?.ids ?? [], category }).catch(() => undefined);
    button.addEventListener("click", again);
    return button;
  });
  return element("nav", ...buttons);
}

function answer({ status, result, error, progress }: ToolState<typeof mapGeneOntology>): HTMLElement[] {
  if (error !== undefined) return [element("p", error)];
  if (result === undefined || status === "running") return [element("p", progress?.message ?? "Looking up …")];
  const found = Object.entries(result.results).map(([id, annotations]) => {
    const rows = annotations.map(({ goId, qualifier, goEvidence, reference }) =>
      element(
        "tr",
        ...[goId, qualifier.replaceAll("_", " "), goEvidence, reference].map((text) => element("td", text)),
      ),
    );
    return element("section", element("h2", `${annotations[0]?.symbol ?? ""} ${id}`), element("table", ...rows));
  });
  const problems = (result.problems ?? []).map(({ id, message }) => element("p", `${id}: ${message}`));
  return [...found, ...problems];
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.append(...children);
  return made;
}
