export const code = "a folder of code is not a skill";
