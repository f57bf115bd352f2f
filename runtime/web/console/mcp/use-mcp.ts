import { useEffect, useState } from "preact/hooks";
import { errorText } from "../base/use-loaded.ts";
import { recordIn } from "../base/json.ts";
import type { Client } from "../client/client.ts";
import type { Connect, Host } from "./host.ts";
import type { Listed } from "./offer.ts";
import { loadOffers } from "./offers.ts";
import { createWire, type JsonObject } from "./wire.ts";

/** State of a connection. */
export interface Connection {
  readonly host?: Host;
  /** The service's description of itself. */
  readonly server?: JsonObject;
  readonly offers?: readonly Listed[];
  readonly failure?: string | undefined;
}

/** Connects as a host, reconnects when `turn` changes, and reloads lists that have changed. */
export function useMcp(client: Client, connect: Connect, turn: number): Connection {
  const [state, setState] = useState<Connection>({});
  useEffect(() => {
    const wire = createWire(client);
    const host = connect(client, wire);
    let isOver = false;
    let capabilities: JsonObject = {};
    const change = (more: Connection): void => {
      if (!isOver) setState((last) => ({ ...last, ...more }));
    };
    const load = async (): Promise<void> => change({ offers: await loadOffers(host, capabilities) });
    const begin = async (): Promise<void> => {
      const server = await host.open();
      capabilities = recordIn(server, "capabilities");
      change({ server });
      await load();
    };
    const fail = (error: unknown): void => change({ failure: errorText(error) });
    // Keeps what the service offered before, and with it the form that is being filled in.
    setState((last) => ({ ...last, host, failure: undefined }));
    begin().catch(fail);
    const stop = wire.changes.watch(() => void load().catch(fail));
    return () => {
      isOver = true;
      stop();
      host.close();
    };
  }, [client, connect, turn]);
  return state;
}
