import type { VNode } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { useRoute } from "./base/route.ts";
import type { Route } from "./base/route.ts";
import { useStore } from "./base/store.ts";
import { useLoaded } from "./base/use-loaded.ts";
import type { Backend } from "./client/backend.ts";
import { JobPage } from "./jobs/job-page.tsx";
import { JobsPage } from "./jobs/jobs-page.tsx";
import { Dim, Progress } from "./parts/notice.tsx";
import { SessionContext } from "./client/session.ts";
import type { Session } from "./client/session.ts";
import { SignIn } from "./sign-in/sign-in.tsx";
import type { SigningIn } from "./sign-in/signing-in.ts";
import { ToolsPage } from "./tools/tools-page.tsx";
import { toJson } from "./base/json.ts";
import { Page } from "./parts/card.tsx";

/** Milliseconds between two polls of the tools: under `tenon dev` a save may change them. */
const everyLook = 4000;

/** A view that only services have, or only platforms. */
export interface OwnView {
  /** First part of its address. */
  readonly name: string;
  /** Its name in the navigation; undefined: another view leads to it. */
  readonly label: string | undefined;
  readonly page: () => VNode;
}

interface AppProps {
  readonly backend: Backend;
  readonly views: readonly OwnView[];
  readonly leave: SigningIn["leave"] | undefined;
  /** Why signing in failed, for somebody who comes back from there without a token. */
  readonly refusal: string;
}

/** The whole page. */
export function App({ backend, views, leave, refusal }: AppProps): VNode {
  const route = useRoute();
  const { client } = backend;
  const isOnline = useStore(client.online);
  const challenge = useStore(client.challenge);
  const epoch = useStore(client.epoch);
  const lasting = useMemo(() => ({ calls: new Map(), drafts: new Map(), answers: new Map() }), []);
  const loaded = useLoaded(() => backend.services(), [backend, epoch, challenge === undefined], everyLook);
  const services = loaded.value;
  // The same definitions again must not render every form again.
  const print = toJson(services?.map(({ definition }) => definition));
  const session = useMemo(
    (): Session | undefined => (services === undefined ? undefined : { backend, services, ...lasting }),
    [print],
  );
  const title = backend.kind === "platform" ? "Platform" : (services?.[0]?.name ?? "");
  useEffect(() => {
    document.title = title === "" ? "tenon console" : `${title} – tenon console`;
  }, [title]);
  if (challenge !== undefined) return <SignIn client={client} leave={leave} refusal={refusal} />;
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        Skip to content
      </a>
      <Header
        title={title}
        version={backend.kind === "service" ? services?.[0]?.version : undefined}
        route={route}
        views={views}
      />
      <p class={isOnline ? "unseen" : "offline"} role="status">
        {isOnline ? "" : "The service cannot be reached. Waiting until it is back…"}
      </p>
      {session === undefined ? (
        <Page>
          <Progress of={loaded} />
        </Page>
      ) : (
        <SessionContext.Provider value={session}>
          <View route={route} views={views} />
        </SessionContext.Provider>
      )}
    </>
  );
}

interface ViewProps {
  readonly route: Route;
  readonly views: readonly OwnView[];
}

function View({ route: [view = "tools", ...rest], views }: ViewProps): VNode {
  const [id] = rest;
  if (view === "jobs") return id === undefined ? <JobsPage /> : <JobPage key={id} id={id} />;
  return views.find(({ name }) => name === view)?.page() ?? <ToolsPage route={rest} />;
}

interface HeaderProps extends ViewProps {
  readonly title: string;
  readonly version: string | undefined;
}

function Header({ title, version, route: [view = "tools"], views }: HeaderProps): VNode {
  const links = [{ name: "tools", label: "Tools" }, { name: "jobs", label: "Jobs" }, ...views];
  return (
    <header class="top">
      <span class="brand">
        <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
          <path d="M2 5h12v5h8v4h-8v5H2z" fill="currentColor" />
        </svg>
        <strong>{title}</strong>
        <Dim>{version}</Dim>
      </span>
      <nav aria-label="Views">
        {links.map(
          ({ name, label }) =>
            label !== undefined && (
              <a href={`#/${name}`} aria-current={view === name ? "page" : undefined}>
                {label}
              </a>
            ),
        )}
      </nav>
    </header>
  );
}

/** The address of a view is behind `#`, so the browser's own jump would change it. */
function skip(event: Event): void {
  event.preventDefault();
  const main = document.getElementById("main");
  main?.setAttribute("tabindex", "-1");
  main?.focus();
}
