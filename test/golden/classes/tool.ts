import { withSchema } from "tenon";

class Base {
  id = 0;
  protected secret = "";
}

/** A point. */
@withSchema("urn:example:schema.point.1")
export class Point extends Base {
  static origin = new Point(0);
  #hidden = 1;
  private cache?: string;
  /** Across. @minimum 0 */
  x: number;
  label?: string;
  at: Date = new Date();
  constructor(
    x: number,
    /** Down. */
    public readonly y: number = 0,
    private z = 0,
  ) {
    super();
    this.x = x;
  }
  get length(): number {
    return Math.hypot(this.x, this.y, this.z) + this.#hidden + (this.cache?.length ?? 0);
  }
  move(): void {
    this.x += 1;
  }
}

/** Moves a point. @tool */
export function move(point: Point): Point {
  return point;
}
