/** Makes an event listener that passes on the value of its element. */
export function typed(give: (value: string) => void) {
  return (event: { readonly currentTarget: { readonly value: string } }): void => give(event.currentTarget.value);
}
