import type { VNode } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { linkTo, useRoute } from "./base/route.ts";
import { isDev } from "./client/is-dev.ts";
import { useOpenInView } from "./base/use-open-in-view.ts";
import { useStore } from "./base/use-store.ts";
import type { ServiceInfo } from "./client/definition.ts";
import { useLoaded } from "./base/use-loaded.ts";
import { useView, type LoadView } from "./base/use-view.ts";
import type { Backend } from "./client/backend.ts";
import { later } from "./parts/later.tsx";
import { Dim, Progress } from "./parts/notice.tsx";
import { SessionContext, type Session } from "./client/session.ts";
import type { Drafts, SigningIn } from "./sign-in/token-source.ts";
import { toJson } from "./base/json.ts";
import { Page } from "./parts/card.tsx";

const SignIn = later(async () => (await import("./sign-in/sign-in.tsx")).SignIn);
const SignedIn = later(async () => (await import("./sign-in/signed-in.tsx")).SignedIn);
const BuildFailure = later(async () => (await import("./build-failure.tsx")).BuildFailure);

/** Milliseconds between two polls of the tools, which a save may change under `tenon dev`. */
const everyLook = 4000;

/** A view of the page. */
export interface OwnView {
  /** First part of the view's address. */
  readonly name: string;
  /** Name of the view in the navigation; undefined: the view is reached from another view. */
  readonly label: string | undefined;
  /** False if the view has nothing to show, so that the navigation leaves it out; default: always true. */
  readonly isUseful?: (services: readonly ServiceInfo[]) => boolean;
  readonly load: LoadView;
  /** View of a single entity, whose name is the next part of the address. */
  readonly one?: LoadView;
}

interface AppProps {
  readonly backend: Backend;
  /** Views of the page. The first view is shown if the address does not name one. */
  readonly views: readonly [OwnView, ...OwnView[]];
  /** Texts of forms, which outlast a view. */
  readonly drafts: Drafts;
  readonly leave: SigningIn["leave"] | undefined;
  /** Reason why signing in failed, for a user who returns from the authorisation server without a token. */
  readonly refusal: string;
}

/** Renders the whole page. */
export function App({ backend, views, drafts, leave, refusal }: AppProps): VNode {
  const route = useRoute();
  const { client } = backend;
  const isOnline = useStore(client.online);
  const challenge = useStore(client.challenge);
  const epoch = useStore(client.epoch);
  const lasting = useMemo(() => {
    const places = new Map<string, string>();
    return { calls: new Map(), drafts, made: new Map(), outcomes: new Map(), places };
  }, []);
  // Without a token nothing is asked for again.
  const load = (): Promise<readonly ServiceInfo[]> => (challenge ? new Promise(() => {}) : backend.services());
  const loaded = useLoaded(load, [backend, epoch, challenge === undefined], everyLook);
  const services = loaded.value;
  // Definitions are compared as text: equal definitions must not render every form again.
  const print = toJson(services?.map(({ definition }) => definition));
  const session = useMemo(
    (): Session | undefined => (services === undefined ? undefined : { backend, services, ...lasting }),
    [print],
  );
  const [name, ...rest] = route;
  const chosen = views.find((view) => view.name === name) ?? views[0];
  const loadView = rest.length > 0 ? (chosen.one ?? chosen.load) : chosen.load;
  // The script of the view is loaded while the services are requested.
  const view = useView(loadView, epoch);
  const View = view.value;
  const token = useStore(client.token);
  const title = backend.kind === "platform" ? "Platform" : (services?.[0]?.name ?? "");
  // Without the request that a link may contain.
  const shown = rest.slice(0, chosen.name === "tools" && backend.kind === "service" ? 1 : 2);
  const parts = challenge === undefined ? [...shown, chosen.label, title] : [];
  const documentTitle = [...parts, "tenon console"].filter(Boolean).join(" – ");
  useEffect(() => {
    document.title = documentTitle;
  }, [documentTitle]);
  // Views with a list lead back to what was open there.
  if (chosen.label !== undefined && chosen.one === undefined)
    lasting.places.set(chosen.label, linkTo(chosen.name, ...shown));
  if (challenge !== undefined) return <SignIn client={client} drafts={drafts} leave={leave} refusal={refusal} />;
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        Skip to content
      </a>
      <Header
        title={title}
        version={backend.kind === "service" ? services?.[0]?.version : undefined}
        chosen={chosen}
        places={lasting.places}
        token={token}
        views={views.filter(({ isUseful }) => isUseful?.(services ?? []) ?? true)}
      />
      <p class={isOnline ? "unseen" : "offline"} role="status">
        {isOnline ? "" : "The service cannot be reached. Waiting until it is back…"}
      </p>
      {isDev() && <BuildFailure client={client} />}
      {session === undefined || View === undefined ? (
        <Page>
          <Progress of={session === undefined ? loaded : view} />
        </Page>
      ) : (
        <SessionContext.Provider value={session}>
          <View key={loadView === chosen.one ? rest[0] : undefined} route={rest} />
        </SessionContext.Provider>
      )}
    </>
  );
}

interface HeaderProps {
  /** Address of what was last open in a view, by its label. */
  readonly places: ReadonlyMap<string, string>;
  readonly token: string | undefined;
  readonly chosen: OwnView;
  readonly views: readonly OwnView[];
  readonly title: string;
  readonly version: string | undefined;
}

function Header({ title, version, chosen, views, places, token }: HeaderProps): VNode {
  useOpenInView(chosen);
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
        {views.map(
          ({ name, label }) =>
            label !== undefined && (
              <a
                href={(chosen.label !== label && places.get(label)) || `#/${name}`}
                aria-current={chosen.label === label ? "page" : undefined}
              >
                {label}
              </a>
            ),
        )}
      </nav>
      {token !== undefined && <SignedIn token={token} />}
    </header>
  );
}

/**
 * Handles the link to the content: the browser's own jump would change the part after `#`, which is the address of the
 * view.
 */
function skip(event: Event): void {
  event.preventDefault();
  const main = document.getElementById("main");
  main?.setAttribute("tabindex", "-1");
  main?.focus();
}
