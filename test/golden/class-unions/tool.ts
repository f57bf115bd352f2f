class Remove {
  readonly action = "remove";
  id!: string;
}
class Archive {
  readonly action = "archive";
  id!: string;
  /** An option, since no other member has it. */
  mode: "fast" | "slow" = "fast";
}
/** The tag has several values. */
class Move {
  action: "move" | "copy" = "move";
  to!: Date;
}
class Rename {
  /** The tag may be missing, as the author says. @default "rename" */
  action!: "rename";
  to!: string;
}

/** Used alone, so its tag may be missing. */
class Note {
  readonly kind = "note";
  text!: string;
}

/** @schema urn:example:schema.change.1 */
export interface Change {
  change: Remove | Archive;
  more?: (Remove | Move)[];
  maybe?: Note | null;
  mixed?: Rename | { action: "drop" };
}

/** Changes. @tool */
export function change(request: Change): void {
  void request;
}
