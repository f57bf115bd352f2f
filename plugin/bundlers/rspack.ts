import type { RspackPluginInstance } from "@rspack/core";
import type { TenonOptions } from "../compile/options.ts";
import { tenon } from "./unplugin.ts";

const plugin: (options?: TenonOptions) => RspackPluginInstance = tenon.rspack;
export default plugin;
