import type { Plugin } from "rollup";
import type { TenonOptions } from "./options.ts";
import { tenon } from "./unplugin.ts";

const plugin: (options?: TenonOptions) => Plugin = tenon.rollup;
export default plugin;
