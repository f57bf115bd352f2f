/** A listener that gives on what is in its element. */
export function typed(give: (value: string) => void) {
  return (event: { readonly currentTarget: { readonly value: string } }): void => give(event.currentTarget.value);
}
