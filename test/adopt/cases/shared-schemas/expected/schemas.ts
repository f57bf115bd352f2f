export interface Note {
  author: Author;
  /** @maxLength 200 */
  text: string;
}

/** An author */
export interface Author {
  /** Full name */
  name: string;
}
