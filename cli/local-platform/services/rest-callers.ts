import { startRestCaller, type RestCaller, type RestCallerOptions } from "./rest-caller.ts";
import type { RegisteredService } from "./known-services.ts";
import type { ServiceRegistry } from "./service-registry.ts";

export interface RestCallersOptions extends Omit<RestCallerOptions, "service" | "url"> {
  readonly services: ServiceRegistry;
}

/** Keeps a caller for every service with a URL, including those that are added or changed later. */
export function startRestCallers({ services, ...surroundings }: RestCallersOptions): RestCaller {
  const callers = new Map<string, { readonly url: string; readonly caller: RestCaller }>();
  const ending = new Set<Promise<void>>();
  const end = (key: string): void => {
    const known = callers.get(key);
    if (known === undefined) return;
    callers.delete(key);
    const stopping = known.caller.stop();
    ending.add(stopping);
    void stopping.finally(() => ending.delete(stopping));
  };
  const see = (service: RegisteredService): void => {
    const { key, url } = service;
    if (callers.get(key)?.url === url) return;
    end(key);
    if (url === undefined) return;
    const now = (): RegisteredService => services.find(key) ?? service;
    callers.set(key, { url, caller: startRestCaller({ ...surroundings, service: now, url }) });
  };
  for (const service of services.all) see(service);
  const stopListening = services.onChange(see);
  return {
    async stop() {
      stopListening();
      for (const key of callers.keys()) end(key);
      await Promise.all(ending);
    },
  };
}
