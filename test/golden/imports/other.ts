export interface Named {
  /** From another file. @minimum 1 */
  a: number;
}
export default class {
  #hidden = 2;
  static origin = 3;
  x = 1;
  constructor(
    readonly label: string,
    protected width?: number,
  ) {
    void this.#hidden;
  }
}
export namespace Inner {
  export interface Deep {
    at: Date;
  }
}
export const value = { a: 1, b: [1, 2], c: { d: "x" as const } };
export const table = { one: 1, two: "two", three: [3] } as const;
export const through = (n: number) => ({ n, half: n / 2 }).half;
