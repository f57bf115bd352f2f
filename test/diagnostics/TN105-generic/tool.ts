/** Gives back what it gets. @tool @param value Anything. */
export function echo<T>(value: T): T {
  return value;
}
/** Makes something. @tool @param text What it is made of. */
export function make<Made>(text: string): Made {
  return JSON.parse(text) as Made;
}
