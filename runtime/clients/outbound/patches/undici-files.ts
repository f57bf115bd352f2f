/** Files of an npm copy of undici in which its classes and functions are made, whatever the copy is called. */
export const dispatcherFile: RegExp = /[\\/]lib[\\/]dispatcher[\\/](?:dispatcher-base|proxy-agent)\.js(?:\?.*)?$/;
export const undiciIndexFile: RegExp = /[\\/]undici[^\\/]*[\\/]index\.js(?:\?.*)?$/;
