/** An endpoint of a contract of ts-rest. */
export interface ContractEndpoint {
  readonly method: string;
  readonly path: string;
  readonly pathParams?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** The endpoints of all contracts, each with the prefixes of the contracts around it. */
export interface Contracts {
  readonly endpoints: ReadonlySet<ContractEndpoint>;
  add(contract: object, options?: { readonly pathPrefix?: string }): object;
}

/** Opens a list of contracts. */
export function openContracts(): Contracts {
  const endpoints = new Set<ContractEndpoint>();
  function add(contract: object, { pathPrefix = "" }: { readonly pathPrefix?: string } = {}): object {
    const entries = Object.entries(contract as Readonly<Record<string, object>>).map(([key, value]) => {
      if (!isEndpoint(value)) return [key, add(value, { pathPrefix })] as const;
      const placed = { ...value, path: pathPrefix + value.path };
      endpoints.delete(value);
      endpoints.add(placed);
      return [key, placed] as const;
    });
    return Object.fromEntries(entries);
  }
  return { endpoints, add };
}

function isEndpoint(value: object): value is ContractEndpoint {
  return "method" in value && "path" in value && typeof value.path === "string";
}
