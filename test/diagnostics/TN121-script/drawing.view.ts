import { draw } from "./pencil.js";

draw(document.body);
