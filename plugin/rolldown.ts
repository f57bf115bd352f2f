import type { Plugin } from "rolldown";
import type { TenonOptions } from "./options.ts";
import { tenon } from "./unplugin.ts";

const plugin: (options?: TenonOptions) => Plugin = tenon.rolldown;
export default plugin;
