/** Takes what is no request model. @tool @param m A map. */
export function map(m: Map<string, Date>): void {
  void m;
}
/** Takes a date. @tool @param d When. */
export function date(d: Date): void {
  void d;
}
/** Takes a list. @tool @param ids Which. */
export function list(ids: readonly string[]): void {
  void ids;
}
/** Takes two objects. @tool @param a One. @param b Two. */
export function two(a: { x: number }, b?: { y: string }): void {
  void [a, b];
}
/** Takes a nullable object. @tool @param a One. */
export function nullable(a: { x: number } | null): void {
  void a;
}
/** Takes a tuple of the rest. @tool @param rest The others. */
export function rest(...rest: [a: number, b?: string]): void {
  void rest;
}
