import { fieldId } from "./field-props.ts";

/** Shows the request as a form. */
export function openForm(): void {
  document.getElementById("tab-Request-0")?.click();
}

/** Puts the cursor into the field of a JSON Pointer, or into the nearest one around it. */
export function jumpTo(pointer: string): void {
  openForm();
  requestAnimationFrame(() => {
    let at = pointer;
    let found: HTMLElement | null;
    while ((found = document.getElementById(fieldId(at))) === null && at !== "") at = at.replace(/\/[^/]*$/, "");
    (found?.querySelector<HTMLElement>("input,select,textarea,button") ?? found)?.focus();
  });
}
