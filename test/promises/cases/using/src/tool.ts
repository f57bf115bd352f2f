/** Releases what it holds.
 * @tool */
export async function releaseAll(): Promise<string[]> {
  const steps: string[] = [];
  {
    using first = { [Symbol.dispose]: () => void steps.push("first") };
    await using second = { [Symbol.asyncDispose]: async () => void steps.push("second") };
    steps.push(first === undefined || second === undefined ? "lost" : "held");
  }
  return steps;
}
