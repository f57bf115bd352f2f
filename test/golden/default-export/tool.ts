"use strict";
import "./other.ts";
import "./other.ts"; // twice

export const before = 1;

/** By its own name. @tool */
const start = (): number => before;

export default start;
