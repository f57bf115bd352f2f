/** @schema urn:example:schema.case.1 */
export interface Request {
  /** A folder. @default process.cwd() */
  folder?: string;
  /** Nothing. @default undefined */
  nothing?: string;
  /** A link. @default {@link Request} */
  link?: string;
  /** A variable. @defaultValue `process.env.HOME` */
  home?: string;
  /** Now. @default new Date() */
  now?: Date;
  /** Null is not a text. @default null */
  none?: string;
  /** An example. @example {@link Request} */
  example?: string;
  /** The text itself. @default "process.cwd()" @example process.cwd() */
  text?: string;
  /** Texts. @default api.example.com */
  host?: string;
  /** The example has another form. @pattern ^[a-z]+$ @example Two words */
  word: string;
}

/** Takes a request. @tool */
export function take(request: Request): void {
  void request;
}
