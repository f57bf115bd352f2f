type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** @schema urn:example:schema.large.request.1 */
export interface LargeRequest {
  /** One of a thousand. */
  code: `the-code-of-one-of-the-thousand-parts-that-the-warehouse-in-the-north-of-the-country-has-on-its-shelves-${Digit}${Digit}${Digit}`;
}

/** Takes a code. @tool */
export function take(request: LargeRequest): void {
  void request;
}
