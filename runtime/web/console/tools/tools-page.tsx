import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { linkTo } from "../base/route.ts";
import { typed } from "../base/typed.ts";
import { textIn } from "../base/json.ts";
import { useLoaded } from "../base/use-loaded.ts";
import { useOpenInView } from "../base/use-open-in-view.ts";
import type { ViewProps } from "../base/use-view.ts";
import { Dim, Notice, noService } from "../parts/notice.tsx";
import { Card } from "../parts/card.tsx";
import { briefText, Markdown } from "../parts/markdown.tsx";
import { useSession } from "../client/session.ts";
import { entriesOf, type Entry } from "./entries.ts";
import { ToolPage } from "./tool-page.tsx";

/** Shows all tools with a search field, and the chosen tool beside them. */
export function ToolsPage({ route }: ViewProps): VNode {
  const { services, backend } = useSession();
  const [search, setSearch] = useState("");
  // Its script is loaded with the first search.
  const finder = useLoaded(async () => (search === "" ? undefined : import("./search-tools.ts")), [search === ""]);
  const entries = useMemo(() => entriesOf(services), [services]);
  const found = useMemo(() => finder.value?.searchTools(entries, search) ?? entries, [finder.value, entries, search]);
  const [key = "", name = "", filled = ""] = backend.kind === "platform" ? route : ["", ...route];
  const groups = useMemo(() => groupsOf(found), [found]);
  const named = entries.find(({ service, tool }) => service.key === key && tool.name === name);
  const shown = named ?? (route.length === 0 ? (groups[0]?.[1][0] ?? entries[0]) : undefined);
  useOpenInView(key, name);
  const missing = `There is no such tool${backend.client.token.get() === undefined ? "" : ", or your token does not have its scopes"}.`;
  const instructions = textIn(shown?.service.definition, "instructions");
  return (
    <div class={`split${named === undefined ? "" : " chosen"}`}>
      <nav class="side" aria-label="Tools">
        {route.length === 0 && services.length === 1 && <Markdown text={services[0]?.description ?? ""} />}
        <input
          type="search"
          placeholder={`Search ${entries.length} tools`}
          aria-label="Search tools"
          value={search}
          onInput={typed(setSearch)}
        />
        {groups.map(([name, members]) => (
          <>
            {name !== undefined && <p class="group">{name}</p>}
            <ul class="tool-list" aria-label={name}>
              {members.map((entry) => (
                <Line entry={entry} isShown={shown?.tool === entry.tool} />
              ))}
            </ul>
          </>
        ))}
        <p class="unseen" role="status">
          {search === "" ? "" : `${found.length} tools found`}
        </p>
        {found.length === 0 && <Notice>No tool matches.</Notice>}
      </nav>
      <main class="content" id="main">
        {shown === undefined ? (
          <Notice>{entries.length === 0 ? noService : missing}</Notice>
        ) : (
          <ToolPage
            key={`${shown.service.key} ${shown.tool.name} ${filled}`}
            service={shown.service}
            tool={shown.tool}
            filled={filled}
          />
        )}
        {/* Text that models read about the service before they know a tool. */}
        {!named && instructions && (
          <Card title="What models read first">
            <Markdown text={instructions} />
          </Card>
        )}
      </main>
    </div>
  );
}

interface LineProps {
  readonly entry: Entry;
  readonly isShown: boolean;
}

function Line({ entry: { service, tool, kinds, why }, isShown }: LineProps): VNode {
  const kind = kinds.find(({ isPossible }) => !isPossible)?.name.replace("a ", "");
  return (
    <li>
      <a href={linkTo("tools", service.key, tool.name)} aria-current={isShown ? "page" : undefined}>
        <strong class={tool.outdated === undefined ? undefined : "deprecated"}>{tool.title ?? tool.name}</strong>
        {kind && <small>{kind}</small>}
        <Dim>
          {why && `${why} · `}
          {tool.outdated === undefined ? "" : "deprecated · "}
          {service.key === "" ? "" : `${service.name} · `}
          {briefText(tool.description)}
        </Dim>
      </a>
    </li>
  );
}

/**
 * Groups tools by category; tools without a category come last. If no tool has a category, all are in one group without
 * a name.
 */
function groupsOf(
  entries: readonly Entry[],
): readonly (readonly [name: string | undefined, members: readonly Entry[]])[] {
  const groups = Map.groupBy(entries, ({ tool }) => tool.category);
  const others = groups.get(undefined) ?? [];
  if (groups.size < 2 && others.length > 0) return [[undefined, others]];
  const named = [...groups]
    .filter(([name]) => name !== undefined)
    .toSorted(([one = ""], [other = ""]) => one.localeCompare(other));
  return others.length === 0 ? named : [...named, ["Other tools", others]];
}
