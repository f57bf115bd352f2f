/** Schemas of the parts of a request. */
export interface RouteParts {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

const partNames: { readonly [name: string]: keyof RouteParts } = {
  param: "params",
  query: "query",
  json: "body",
  form: "body",
};

/**
 * The schemas among the arguments of a route: validators of Hono, or options of Fastify; undefined if there are none.
 */
export function partsOf(given: readonly unknown[]): RouteParts | undefined {
  const parts: { -readonly [part in keyof RouteParts]: unknown } = {};
  let isFound = false;
  for (const one of given) {
    if (typeof one !== "object" || one === null) continue;
    const { part, schema } = one as { readonly part?: unknown; readonly schema?: unknown };
    if (typeof part === "string") {
      isFound = true;
      const name = partNames[part];
      if (name !== undefined) parts[name] = schema;
    } else if (typeof schema === "object" && schema !== null) {
      isFound = true;
      const { params, querystring, body } = schema as { readonly [part: string]: unknown };
      Object.assign(parts, params && { params }, querystring && { query: querystring }, body && { body });
    }
  }
  return isFound ? parts : undefined;
}
