// Maps each method of the protocol beyond tools to the port.
import type { JsonObject } from "../../../contract/contract.ts";
import type { McpCallContext, McpPort } from "../port/port.ts";

/** Registers the handler of one method of the protocol. */
export type Serve = (
  method:
    | "tools/list"
    | "tools/call"
    | "prompts/list"
    | "prompts/get"
    | "resources/list"
    | "resources/templates/list"
    | "resources/read"
    | "resources/subscribe"
    | "resources/unsubscribe"
    | "completion/complete",
  answer: (params: Readonly<Record<string, unknown>>, context: McpCallContext) => unknown,
) => void;

/** Registers the methods of prompts. */
export function servePrompts({ prompts }: McpPort, serve: Serve): void {
  if (prompts === undefined) return;
  serve("prompts/list", ({ cursor }, context) => prompts.list(cursor as string | undefined, context.scopes));
  serve("prompts/get", async ({ name, arguments: args = {} }, context) =>
    asked(await prompts.get(name as string, args as JsonObject, context)),
  );
}

/** Registers the methods of resources. */
export function serveResources({ resources }: McpPort, serve: Serve): void {
  if (resources === undefined) return;
  serve("resources/list", ({ cursor }, context) => resources.list(cursor as string | undefined, context.scopes));
  serve("resources/templates/list", ({ cursor }, context) =>
    resources.listTemplates(cursor as string | undefined, context.scopes),
  );
  serve("resources/read", async ({ uri }, context) => asked(await resources.read(uri as string, context)));
}

/** A resource is computed when it is read, so it has no change events: a subscription is accepted, and stays silent. */
export function serveSubscriptions({ resources }: McpPort, serve: Serve): void {
  if (resources === undefined) return;
  for (const method of ["resources/subscribe", "resources/unsubscribe"] as const) {
    serve(method, ({ uri }) => {
      resources.check(uri as string);
      return {};
    });
  }
}

/** Registers the completion of arguments. */
export function serveCompletion({ prompts, resources }: McpPort, serve: Serve): void {
  if (prompts === undefined && resources === undefined) return;
  serve("completion/complete", ({ ref, argument }) => {
    const { type, name, uri } = ref as { readonly type: string; readonly name?: string; readonly uri?: string };
    const typed = argument as { readonly name: string; readonly value: string };
    const values =
      type === "ref/prompt"
        ? prompts?.complete(name ?? "", typed.name, typed.value)
        : resources?.complete(uri ?? "", typed.name, typed.value);
    return { completion: { values: values ?? [], total: values?.length ?? 0, hasMore: false } };
  });
}

function asked<T extends object>(answer: T): object {
  return "inputRequests" in answer ? { resultType: "input_required", ...answer } : answer;
}
