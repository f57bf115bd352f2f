/** Makes a listener for the Enter key in an input, which would otherwise send the form around it. */
export function entered(press: () => void) {
  return (event: KeyboardEvent): void => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    press();
  };
}
