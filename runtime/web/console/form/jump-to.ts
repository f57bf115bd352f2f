import { fieldId } from "./field-props.ts";

/** Switches the request to the form. */
export function openForm(): void {
  document.getElementById("tab-Request-0")?.click();
}

/** Moves the cursor to the field of a JSON Pointer, or to the nearest field around it. */
export function jumpTo(pointer: string): void {
  openForm();
  requestAnimationFrame(() => {
    let at = pointer;
    let found: HTMLElement | null;
    while ((found = document.getElementById(fieldId(at))) === null && at !== "") at = at.replace(/\/[^/]*$/, "");
    (found?.querySelector<HTMLElement>("input,select,textarea,button") ?? found)?.focus();
  });
}
