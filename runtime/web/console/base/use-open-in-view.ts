import { useEffect } from "preact/hooks";

/**
 * Scrolls the navigation and the list beside it to the links of what is open, each time that one of `parts` changes.
 */
export function useOpenInView(...parts: readonly unknown[]): void {
  useEffect(() => {
    for (const nav of document.querySelectorAll("nav")) {
      const link = nav.querySelector("[aria-current]")?.getBoundingClientRect();
      const box = nav.getBoundingClientRect();
      // Not `scrollIntoView`, which also scrolls the page.
      if (link)
        nav.scrollBy(
          past(link.left, link.right, box.left, box.right),
          past(link.top, link.bottom, box.top, box.bottom),
        );
    }
  }, parts);
}

/** Whole pixels by which something lies before the start of a box (less than 0) or behind its end. */
function past(from: number, to: number, start: number, end: number): number {
  return Math.floor(Math.min(from - start, 0)) || Math.ceil(Math.max(to - end, 0));
}
