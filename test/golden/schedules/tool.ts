/** An account to sweep. */
export interface Sweep {
  $schema: "urn:example:schema.sweep.1";
  /** Name of the account. */
  account: string;
  /**
   * Least amount.
   * @default 10
   */
  least?: number;
}

/**
 * Sweeps an account.
 * @tool
 * @schedule "0 3 * * 1-5" Europe/Zurich {"account": "house"} missed=all overlap=queue jitter=30s
 * @schedule "*\/5 * * * *" {"account": "petty cash", "least": 1}
 */
export function sweep(request: Sweep): string {
  return request.account;
}

/**
 * Counts what is there.
 * @tool
 * @schedule "30 0 12 L * *" America/Santiago overlap=cancel
 */
export function count(): number {
  return 1;
}
