/** Shows a page. @tool
 * @view ./page.view.html */
export function page(): string {
  return "a page";
}
