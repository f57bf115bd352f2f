/**
 * Replaces `import()` in the built page: runs a script of the page, which is fetched when its view is first shown.
 * `shared` gives the exports of the first script that it uses. Rejects with a sentence that says what to do.
 */
export async function loadScript(name: string, shared: () => object): Promise<unknown> {
  const response = await fetch(`${location.pathname}?script=${name}`).catch((cause: unknown) => {
    throw new Error("The service cannot be reached.", { cause });
  });
  if (response.ok) {
    const element = document.createElement("script");
    // The script runs at once, since the page's policy names the hash of its text.
    element.textContent = await response.text();
    document.head.append(element);
    element.remove();
    const open: unknown = Reflect.get(globalThis, "tenonView");
    Reflect.deleteProperty(globalThis, "tenonView");
    if (typeof open === "function") return open(shared());
  }
  throw new Error("This page is older than the service. Reload it.");
}
