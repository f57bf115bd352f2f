import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { linkTo } from "../base/route.ts";
import { useOpenInView } from "../base/use-open-in-view.ts";
import { useStore } from "../base/use-store.ts";
import { typed } from "../base/typed.ts";
import type { ViewProps } from "../base/use-view.ts";
import type { Connect } from "./host.ts";
import { useSession } from "../client/session.ts";
import { later } from "../parts/later.tsx";
import { briefText } from "../parts/markdown.tsx";
import { Dim, Notice, Progress } from "../parts/notice.tsx";
import { Quiet } from "../parts/quiet-button.tsx";
import { Select } from "../parts/select.tsx";
import { LogCard } from "./log-card.tsx";
import { OfferView } from "./offer-view.tsx";
import type { Listed } from "./offer.ts";
import { toolOf } from "./offers.ts";
import { useMcp } from "./use-mcp.ts";

const TextOfferView = later(async () => (await import("./text-offer-view.tsx")).TextOfferView);
const Server = later(async () => (await import("./server-view.tsx")).Server);

/** Revisions that the page speaks, by the names of their views. */
const revisions = [
  ["mcp", "2026-07-28"],
  ["mcp-2025-11-25", "2025-11-25"],
] as const;

interface McpProps extends ViewProps {
  /** Name of the view of the revision. */
  readonly view: (typeof revisions)[number][0];
  readonly connect: Connect;
}

/** Shows the service as an MCP host sees it: tools, prompts and resources, calls, questions, and every message. */
export function McpPage({ route, view, connect }: McpProps): VNode {
  const [kind, name] = route;
  const { client } = useSession().backend;
  const [turn, setTurn] = useState(0);
  const epoch = useStore(client.epoch);
  const connection = useMcp(client, connect, turn + epoch);
  const { host, offers, failure } = connection;
  const shown = offers?.find((offer) => offer.kind === kind && offer.name === name);
  useOpenInView(shown?.kind, shown?.name);
  const own = host && shown && { key: `${shown.kind} ${shown.name}`, view, host };
  return (
    <div class={`split${name === undefined ? "" : " chosen"}`}>
      <nav class="side" aria-label="MCP">
        <p class="line">
          <Select
            label="Revision"
            value={view}
            options={revisions}
            give={(other) => {
              location.hash = linkTo(other, ...route);
            }}
          />
          <Quiet label="Reconnect" press={() => setTurn(turn + 1)}>
            ↻
          </Quiet>
        </p>
        <Progress of={{ ...(failure !== undefined && { failure }), ...(offers && { value: offers }) }} />
        {offers !== undefined && <OfferList view={view} offers={offers} shown={shown} />}
      </nav>
      <main class="content" id="main">
        {shown === undefined && (name === undefined || offers !== undefined) && (
          <Server connection={connection} isMissing={name !== undefined} />
        )}
        {own &&
          (shown.kind === "Tools" ? (
            <OfferView {...own} offer={toolOf(shown)} />
          ) : (
            <TextOfferView {...own} offer={shown} />
          ))}
        {host && <LogCard log={host.wire.log} />}
      </main>
    </div>
  );
}

interface OfferListProps {
  readonly view: string;
  readonly offers: readonly Listed[];
  readonly shown: Listed | undefined;
}

function OfferList({ view, offers, shown }: OfferListProps): VNode {
  const [search, setSearch] = useState("");
  const words = search.toLowerCase();
  const found = offers.filter(({ name, title, description }) =>
    `${name} ${title} ${description}`.toLowerCase().includes(words),
  );
  return (
    <>
      <input
        type="search"
        placeholder={`Search ${offers.length}`}
        aria-label="Search tools, prompts and resources"
        value={search}
        onInput={typed(setSearch)}
      />
      {(["Tools", "Prompts", "Resources"] as const).map((kind) => {
        const some = found.filter((offer) => offer.kind === kind);
        return (
          some.length > 0 && (
            <>
              <p class="group">
                {kind} <Dim>{some.length}</Dim>
              </p>
              <ul class="tool-list" aria-label={kind}>
                {some.map((offer) => (
                  <li>
                    <a href={linkTo(view, kind, offer.name)} aria-current={shown === offer ? "page" : undefined}>
                      <strong>{offer.title}</strong>
                      <Dim>{briefText(offer.description) || offer.name}</Dim>
                    </a>
                  </li>
                ))}
              </ul>
            </>
          )
        );
      })}
      {found.length === 0 && <Notice>{search === "" ? "The service offers nothing." : "Nothing matches."}</Notice>}
    </>
  );
}
