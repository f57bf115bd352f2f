import type { McpPort } from "./port.ts";

/**
 * Makes an {@link McpPort} that passes calls on to the newest build of the service, for connections that survive a
 * reload. The set of supported features does not change.
 */
export function livePort(newest: () => McpPort): McpPort {
  const first = newest();
  const { prompts, resources, skills } = first;
  return {
    ...first,
    listTools: (...args) => newest().listTools(...args),
    scopesOf: (...args) => newest().scopesOf(...args),
    get scopes() {
      return newest().scopes;
    },
    startCall: (...args) => newest().startCall(...args),
    headerParameters: (tool) => newest().headerParameters?.(tool) ?? [],
    ...(prompts !== undefined && {
      prompts: {
        list: (...args) => (newest().prompts ?? prompts).list(...args),
        get: (...args) => (newest().prompts ?? prompts).get(...args),
        complete: (...args) => (newest().prompts ?? prompts).complete(...args),
      },
    }),
    ...(skills !== undefined && {
      skills: {
        list: () => (newest().skills ?? skills).list(),
        get: (uri) => (newest().skills ?? skills).get(uri),
        directory: (uri) => (newest().skills ?? skills).directory(uri),
      },
    }),
    ...(resources !== undefined && {
      resources: {
        list: (...args) => (newest().resources ?? resources).list(...args),
        listTemplates: (...args) => (newest().resources ?? resources).listTemplates(...args),
        read: (...args) => (newest().resources ?? resources).read(...args),
        check: (...args) => (newest().resources ?? resources).check(...args),
        complete: (...args) => (newest().resources ?? resources).complete(...args),
      },
    }),
  };
}
