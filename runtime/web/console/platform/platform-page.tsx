import type { VNode } from "preact";
import { asText, recordsIn, textIn, type Json } from "../base/json.ts";
import { useStore } from "../base/use-store.ts";
import { useLoaded } from "../base/use-loaded.ts";
import { Facts } from "../parts/facts.tsx";
import { JsonTree } from "../parts/json-tree.tsx";
import { Dim, Progress } from "../parts/notice.tsx";
import { usePortion } from "../parts/portion.tsx";
import { useSession } from "../client/session.ts";
import { FaultsCard } from "./faults-card.tsx";
import { Card, Page, Columns } from "../parts/card.tsx";

/** Shows the platform: services, workers, faults, aspects. */
export function PlatformPage(): VNode {
  const { backend, services } = useSession();
  const [shown, more] = usePortion(services, 50, "services");
  return (
    <Page>
      <h1>Platform</h1>
      <Columns>
        <Card title={`Services (${services.length})`}>
          <Facts
            rows={shown.map(({ key, name }) => [
              name,
              <code>
                PLATFORM_BASE_URL={location.origin}
                {backend.client.base}/{key}
              </code>,
            ])}
          />
          {more}
        </Card>
        <Workers />
        <FaultsCard />
        <Aspects />
      </Columns>
    </Page>
  );
}

function Workers(): VNode {
  const { client } = useSession().backend;
  const list = useLoaded(() => client.json("/workers"), [client, useStore(client.epoch)], 2000);
  const found = recordsIn(list.value, "items");
  return (
    <Card title="Workers">
      <Progress of={list} empty={found.length === 0 && "None asks for jobs."} />
      <ul class="plain-list">
        {found.map((worker) => (
          <li>
            <strong>{textIn(worker, "service")}</strong>{" "}
            <Dim>
              {worker["started-here"] === true ? "under the platform" : asText(worker["address"])} · last asked{" "}
              {asText(worker["asked-at"])?.slice(11, 19)}
            </Dim>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Aspects(): VNode {
  const { client } = useSession().backend;
  const path = "/aspects?limit=20&include-content=true";
  const list = useLoaded(() => client.json(path), [client, useStore(client.epoch)], 5000);
  const found = recordsIn(list.value, "items") as readonly Json[];
  return (
    <Card title="Aspects">
      <Progress of={list} empty={found.length === 0 && "There are none."} />
      {found.map((aspect) => (
        <JsonTree value={aspect} name={textIn(aspect, "schema")} open={0} />
      ))}
    </Card>
  );
}
