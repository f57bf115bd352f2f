import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { ServiceInfo } from "../client/definition.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { JsonTree } from "../parts/json-tree.tsx";
import { Markdown } from "../parts/markdown.tsx";
import { Dim, Notice, noService } from "../parts/notice.tsx";
import { Select } from "../parts/select.tsx";
import { Tabs, type Tab } from "../parts/tabs.tsx";
import { useSession } from "../client/session.ts";
import { toJson, type Json } from "../base/json.ts";
import { Card, Page } from "../parts/card.tsx";

/** Shows the contract of a service: its definition, and the parts that `more` adds. */
export function ContractPage({ more }: { readonly more: (service: ServiceInfo) => readonly Tab[] }): VNode {
  const { services } = useSession();
  const [chosen, setChosen] = useState(0);
  const service = services[chosen];
  if (service === undefined) {
    return (
      <Page>
        <Notice>{noService}</Notice>
      </Page>
    );
  }
  const text = (): string => `${toJson(service.definition, true)}\n`;
  const definition = {
    name: "Definition",
    content: () => (
      <>
        <p class="line">
          <CopyButton label="Copy service.json" text={text} />
        </p>
        <JsonTree value={service.definition as Json} open={2} />
      </>
    ),
  };
  return (
    <Page>
      <div class="head">
        <h1>{service.name}</h1>
        <Dim>{service.version}</Dim>
        {services.length > 1 && (
          <Select
            label="Service"
            value={chosen}
            options={services.map(({ name }, index) => [index, name])}
            give={(index) => setChosen(Number(index))}
          />
        )}
      </div>
      <Markdown text={service.description} />
      <Card title="Contract">
        <Tabs label="Contract" tabs={[definition, ...more(service)]} />
      </Card>
    </Page>
  );
}
