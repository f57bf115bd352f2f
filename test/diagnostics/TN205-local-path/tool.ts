/** @schema urn:example:schema.case.1 */
export interface Request {
  /** Read this. */
  inputFile: string;
  /** Write there. */
  output_dir: string;
  /** Where. */
  path?: string;
  /** All of them. */
  files: string[];
  /** In the document. */
  jsonPath: string;
  /** Its name on the page. @format uri-reference */
  filePath: string;
  /** No file. */
  profile: string;
  /** A number. */
  file: number;
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
