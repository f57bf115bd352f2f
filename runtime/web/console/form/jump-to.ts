import { focusField } from "./field-element.ts";

/** Switches the request to the form. */
export function openForm(): void {
  document.getElementById("tab-Request-0")?.click();
}

/** Switches to the form, and moves the cursor to the field of a JSON Pointer. */
export function jumpTo(pointer: string): void {
  openForm();
  focusField(pointer);
}
