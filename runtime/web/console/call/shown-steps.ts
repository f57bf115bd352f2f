import { later } from "../parts/later.tsx";

/** Shows the steps of a job on a timeline. Its script is loaded with the first step, since most calls have none. */
export const StepsView = later(async () => (await import("./steps-view.tsx")).StepsView);
