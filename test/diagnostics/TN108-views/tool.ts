/** Has none. @tool
 * @view */
export function none(): string {
  return "";
}

/** Names a file that is not there. @tool
 * @view ./missing.view.tsx */
export function missing(): string {
  return "";
}

/** Names a picture. @tool
 * @view ./picture.png */
export function picture(): string {
  return "";
}

/** Names two. @tool
 * @view ./one.view.html ./two.view.html */
export function two(): string {
  return "";
}

/** Has two. @tool
 * @view auto
 * @view ./one.view.html */
export function twice(): string {
  return "";
}

/** Is misspelt. @tool
 * @veiw auto */
export function misspelt(): string {
  return "";
}
