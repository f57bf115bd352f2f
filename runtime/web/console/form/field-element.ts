/** Returns the id of a field's element. */
export function fieldId(pointer: string): string {
  return `field-${pointer}`;
}

/** Returns the id of the sentence that describes a field. */
export function hintId(pointer: string): string {
  return `hint-${pointer}`;
}

/** Moves the cursor to the field of a JSON Pointer, or to the nearest field around it. */
export function focusField(pointer: string): void {
  requestAnimationFrame(() => {
    let at = pointer;
    let found: HTMLElement | null;
    while ((found = document.getElementById(fieldId(at))) === null && at !== "") at = at.replace(/\/[^/]*$/, "");
    (found?.querySelector<HTMLElement>("input,select,textarea,button") ?? found)?.focus();
  });
}
