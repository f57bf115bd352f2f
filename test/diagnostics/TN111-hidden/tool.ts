/** Adds​ numbers. @tool @title A ‮title */
export function add(): void {}

/** Adds󠁁󠁂 numbers. @tool @param a One⁦ number. */
export function more(a: number): void {
  void a;
}
