import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { formatBytes } from "../base/format.ts";
import { shortId } from "../base/ids.ts";
import { asText, recordsIn } from "../base/json.ts";
import { useStore } from "../base/use-store.ts";
import { useLoaded } from "../base/use-loaded.ts";
import { ResultView } from "../call/result-view.tsx";
import { calls } from "../client/backend.ts";
import { Quiet } from "../parts/quiet-button.tsx";
import { Dim, Progress } from "../parts/notice.tsx";
import { useSession } from "../client/session.ts";
import { Card, Page, Columns } from "../parts/card.tsx";

/** Shows the artifacts of the platform, with previews of pictures and texts. */
export function ArtifactsPage(): VNode {
  const { client } = useSession().backend;
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const [limit, setLimit] = useState(50);
  const path = `/artifacts?limit=${limit}`;
  const list = useLoaded(() => client.json(path), [path, useStore(client.epoch)], 5000);
  const found = recordsIn(list.value, "items");
  return (
    <Page>
      <h1>Artifacts</h1>
      <Progress of={list} empty={found.length === 0 && "There are none."} />
      <Columns>
        <div>
          <ul class="plain-list">
            {found.map((artifact) => {
              const id = asText(artifact["id"]) ?? "";
              return (
                <li>
                  <button type="button" class="wide" aria-pressed={id === chosen} onClick={() => setChosen(id)}>
                    <strong>{asText(artifact["name"]) ?? shortId(id)}</strong>{" "}
                    <Dim>
                      {asText(artifact["content-type"])} {formatBytes(Number(artifact["size"] ?? 0))}{" "}
                      {asText(artifact["status"])}
                    </Dim>
                  </button>
                </li>
              );
            })}
          </ul>
          {found.length === limit && limit < 500 && <Quiet press={() => setLimit(500)}>more</Quiet>}
        </div>
        {chosen !== undefined && <Preview key={chosen} id={chosen} />}
      </Columns>
    </Page>
  );
}

function Preview({ id }: { readonly id: string }): VNode {
  const { client } = useSession().backend;
  const path = `/artifacts/${encodeURIComponent(id)}/blob`;
  const content = useLoaded(async () => (await calls()).readAnswer(await client.send(path)), [path]);
  return (
    <Card title="Content">
      {content.value === undefined ? <Progress of={content} /> : <ResultView answer={content.value} />}
    </Card>
  );
}
