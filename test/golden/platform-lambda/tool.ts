import * as tenon from "tenon";
import { platformLambda as lambda } from "tenon";

const path = "/square";

/** Squares a number. @param n The number. */
export const square = lambda((n: number): number => n * n, {
  path,
  tags: ["math"],
  strict: true,
  coerce: false,
  text: "none",
  name: "squareNumber",
  maxWaitTime: Number(process.env.WAIT),
  isReady: () => true,
});

/** Cubes a number. @param n The number. */
function cube(n: number): number {
  return n ** 3;
}

export const cubed = tenon.platformLambda(cube);
