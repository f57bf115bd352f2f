import { openBrowser } from "/work/w-console/test/support/browser.ts";
const [url, out, ...acts] = process.argv.slice(2);
const b = await openBrowser();
for (const [name, width, height, scheme] of [["1440-light",1440,900,"light"],["390-dark",390,844,"dark"]] as const) {
  const p = await b.newPage();
  p.on("console", (m) => console.log("console", m.text()));
  p.on("pageerror", (e) => console.log("pageerror", String(e)));
  await p.setViewport({ width, height });
  await p.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await p.goto(url, { waitUntil: "networkidle2" }).catch(()=>{});
  for (const a of acts) { if (a.startsWith("wait")) await new Promise(r=>setTimeout(r, Number(a.slice(4)))); else await p.evaluate(a); }
  await p.screenshot({ path: `${out}-${name}.png`, fullPage: false });
  console.log(name, await p.evaluate("document.documentElement.scrollWidth + ' ' + innerWidth"));
  await p.close();
}
await b.close();
