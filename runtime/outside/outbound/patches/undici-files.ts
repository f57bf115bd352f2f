/** Files that define the classes and functions of an npm copy of undici, whatever the package is called. */
export const dispatcherFile: RegExp = /[\\/]lib[\\/]dispatcher[\\/](?:dispatcher-base|proxy-agent)\.js(?:\?.*)?$/;
export const undiciIndexFile: RegExp = /[\\/]undici[^\\/]*[\\/]index\.js(?:\?.*)?$/;
