enum Size {
  Small = 1,
  Large,
}

class Box {
  constructor(
    readonly size: Size,
    private readonly label = "box",
  ) {}
  get name(): string {
    return `${this.label} ${Size[this.size]}`;
  }
}

/** Packs a box.
 * @tool */
export function packBox(): string {
  return new Box(Size.Large).name;
}
