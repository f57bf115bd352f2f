/** Says hello. @tool
 * @view ./hello.view.ts */
export function hello(): string {
  return "hello";
}

/** Draws. @tool
 * @view ./drawing.view.ts */
export function draw(): string {
  return "a drawing";
}

/** Reads. @tool
 * @view ./reading.view.ts */
export function read(): string {
  return "text";
}

/** Styles. @tool
 * @view ./styled.view.ts */
export function style(): string {
  return "style";
}
