import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { errorText } from "../base/error-text.ts";
import { toJson } from "../base/json.ts";
import type { ServiceInfo } from "../client/definition.ts";
import { Copies } from "../parts/copies.tsx";
import { Quiet } from "../parts/quiet-button.tsx";
import type { Tab } from "../parts/tabs.tsx";
import { useSession } from "../client/session.ts";
import { ChangesView } from "./changes-view.tsx";
import { hostLines } from "./host-lines.ts";
import { McpView } from "./mcp-view.tsx";

/** Promises of a service beside its definition. */
export function serviceTabs(service: ServiceInfo): readonly Tab[] {
  return [
    { name: "Changes", content: () => <ChangesView /> },
    { name: "MCP", content: () => <McpView /> },
    { name: "Hosts", content: () => <Hosts service={service} /> },
    { name: "OpenAPI", content: () => <OpenApiLink /> },
  ];
}

function OpenApiLink(): VNode {
  const { backend } = useSession();
  const [failure, setFailure] = useState("");
  // A plain link could not send the token.
  const save = async (): Promise<void> => {
    const text = toJson(await backend.client.json("/openapi.json"), true);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text]));
    link.download = "openapi.json";
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <>
      <Quiet onClick={() => void save().catch((error: unknown) => setFailure(errorText(error)))}>
        Download openapi.json
      </Quiet>
      <span class="problem">{failure}</span>
    </>
  );
}

function Hosts({ service }: { readonly service: ServiceInfo }): VNode {
  const { backend } = useSession();
  return <Copies texts={hostLines(service.name, `${location.origin}${backend.client.base}/mcp`)} />;
}
