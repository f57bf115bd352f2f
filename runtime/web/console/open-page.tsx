import { render } from "preact";
import { keepFocus } from "./base/keep-focus.ts";
import { App, type OwnView } from "./app.tsx";
import type { Backend } from "./client/backend.ts";
import { errorText } from "./base/use-loaded.ts";
import { createClient, type Client } from "./client/client.ts";
import type { Drafts, SigningIn } from "./sign-in/token-source.ts";

/** Views that services and platforms have. */
const commonViews: readonly [OwnView, ...OwnView[]] = [
  { name: "tools", label: "Tools", load: async () => (await import("./tools/tools-page.tsx")).ToolsPage },
  {
    name: "jobs",
    label: "Jobs",
    load: async () => (await import("./jobs/jobs-page.tsx")).JobsPage,
    one: async () => (await import("./jobs/job-page.tsx")).JobPage,
  },
];

/** Shows the console with its common views, and with those of a service or a platform. */
export function openPage(connect: (client: Client) => Backend, views: readonly OwnView[], signing?: SigningIn): void {
  const root = document.getElementById("root");
  if (root === null) return;
  // The base is taken from the page's path, since an application may serve the console under a path of its own.
  const client = createClient(location.pathname.replace(/\/(?:docs\/?)?$/, ""));
  const drafts: Drafts = new Map();
  root.textContent = "";
  keepFocus(root);
  const show = (refusal: string): void =>
    render(
      <App
        backend={connect(client)}
        views={[...commonViews, ...views]}
        drafts={drafts}
        leave={signing?.leave}
        refusal={refusal}
      />,
      root,
    );
  if (signing === undefined) return show("");
  void signing.back(drafts).then(
    (token) => {
      client.token.set(token);
      show("");
    },
    (error: unknown) => show(errorText(error)),
  );
}
