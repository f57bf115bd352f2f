/**
 * Elements that get the focus instead. No button does, and no link that looks like one: a second press of the key would
 * do something else.
 */
const fields = "input, select, textarea, a[href]:not(.button)";

/**
 * Gives the focus to the nearest place that is left when the element that has it is removed, such as a button that was
 * pressed: it would fall to the body, and a screen reader would begin at the top of the page.
 */
export function keepFocus(root: HTMLElement): void {
  let path: readonly Element[] = [];
  root.addEventListener("focusin", (event) => {
    path = event.composedPath() as Element[];
  });
  new MutationObserver(() => {
    const [last] = path;
    if (last === undefined || last.isConnected || document.activeElement !== document.body) return;
    // The root is still there, so that the path is not followed to the document.
    const left = path.find((at) => at.isConnected);
    const heir = ((left?.matches("main *") && left.querySelector(fields)) ||
      (last.closest(".question") && root.querySelector(".columns .primary")) ||
      root.querySelector("main h1")) as HTMLElement | null;
    if (heir?.matches("h1") === true) heir.tabIndex = -1;
    heir?.focus({ preventScroll: true });
  }).observe(root, { childList: true, subtree: true });
}
