/**
 * Optional interface of a store that can extend leases after its process was stopped for a while: workers could not
 * renew them meanwhile.
 */
export interface ExtendsLeases {
  /** Extends all leases to at least `grace` milliseconds from now. */
  extendLeases(grace: number): Promise<void>;
}
