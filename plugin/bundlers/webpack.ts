import type { WebpackPluginInstance } from "webpack";
import type { TenonOptions } from "../compile/options.ts";
import { tenon } from "./unplugin.ts";

const plugin: (options?: TenonOptions) => WebpackPluginInstance = tenon.webpack;
export default plugin;
