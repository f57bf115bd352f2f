/** Can change. @tool */
export let current = (): number => 1;

current = (): number => 2;
