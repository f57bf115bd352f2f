/**
 * Optional interface of a store whose process may have been stopped for a while: nobody could renew a lease meanwhile.
 */
export interface ExtendsLeases {
  /** Lets no lease end within `grace` milliseconds. */
  extendLeases(grace: number): Promise<void>;
}
