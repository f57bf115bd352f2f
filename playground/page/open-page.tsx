/** The page of the playground. It loads its compiler itself: no other page of the site needs it. */
import { render } from "preact";
import { App } from "./app.tsx";
import { sourceIn } from "./link.ts";

const root = document.getElementById("root");
// The switch of the other pages counts here as well.
const theme = localStorage.getItem("vitepress-theme-appearance");
if (theme === "dark" || theme === "light") document.documentElement.style.colorScheme = theme;
void sourceIn(location.hash).then((first) => {
  if (root !== null) render(<App first={first} />, root);
});
