export interface PrimeRequest {
  /** The name. */
  name: string;
}

/** Labels. @tool */
export async function label(request: PrimeRequest): Promise<{ label: string }> {
  return { label: request.name };
}
