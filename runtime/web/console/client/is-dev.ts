/** True for the page of `tenon dev`, whose service has more routes. */
export function isDev(): boolean {
  return document.getElementById("root")?.dataset["dev"] !== undefined;
}
