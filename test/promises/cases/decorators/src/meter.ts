type Method = (this: unknown, ...values: never[]) => unknown;

/** Names of the methods that were called. */
export const counted: string[] = [];

function count<T extends Method>(method: T, { name }: ClassMethodDecoratorContext): T {
  return function (this: unknown, ...values: never[]) {
    counted[0] = String(name);
    return method.apply(this, values);
  } as T;
}

export class Meter {
  @count double(n: number): number {
    return 2 * n;
  }
}
