import { expect, test } from "vitest";
import { primeFiles } from "../support/prime-project.ts";
import { answer, serveConsole } from "../support/served-console.ts";

const tools = `import type { JobContext } from "tenon";

/** The decision of somebody else. */
export interface Approval {
  approved: boolean;
  /** @minLength 3 */
  reason: string;
}

/**
 * Pays an order.
 * @tool
 * @retry 3 10ms..20ms
 */
export async function pay(order: string, job: JobContext): Promise<string> {
  const charge = await job.step("charge", () => \`charged \${order}\`);
  let failures = 0;
  job.report.step("look", () => {});
  for (const item of ["a"])
    await job.step("ship", { key: item }, ({ attempt }) => {
      if (attempt === 1) throw new Error("The van is late.");
      return attempt;
    });
  const { approved } = await job.wait<Approval>("approval", { within: "1 hour" });
  const { approved: received } = await job.wait<Approval>("received", { key: order, within: "1 hour" });
  return \`\${charge} \${approved} \${received} \${failures}\`;
}

/**
 * Waits for two messages at once.
 * @tool
 */
export async function both(job: JobContext): Promise<boolean> {
  job.report.step("", () => {});
  const [seller, buyer] = await Promise.all([job.wait<Approval>("seller"), job.wait<Approval>("buyer")]);
  return seller.approved && buyer.approved;
}

/**
 * Runs alone, until it is cancelled.
 * @tool
 * @limit 1
 */
export async function lane(job: JobContext): Promise<void> {
  await new Promise((resolve) => job.signal.addEventListener("abort", resolve));
}
`;

const ui = serveConsole({
  ...primeFiles,
  "src/service.ts": (primeFiles["src/service.ts"] ?? "").replace('import "./is-prime.js";', 'import "./pay.js";'),
  "src/pay.ts": tools,
});

test("a durable job: its steps with keys and tries, a message from its page, and again from a step", async () => {
  await ui.open("tools/pay");
  await ui.fill("textbox", "order *", "7");
  await ui.press("Call");
  // The page says `pending` before the service has the job.
  await ui.view.shows("Waits for the message approval.", answer);
  const jobs = (await (await fetch(`${ui.served.url}/jobs?tool=pay`)).json()) as { items: { id: string }[] };
  const id = jobs.items[0]?.id.replace("urn:platform:job:", "") ?? "";
  // An address may have the whole URN.
  await ui.open(`jobs/urn:platform:job:${id}`);
  await ui.view.shows(/Message approval/i);
  expect(await ui.view.page.content()).not.toContain("urn:platform:job:urn");
  await ui.view.shows(/charge(.|\n)*ship\[a\](.|\n)*try 2/, ".steps");
  await ui.view.shows(
    /Attempt 1(.|\n)*parked(.|\n)*wait for approval\s+waiting(.|\n)*since [\d:.]+ UTC at most until/,
    ".steps",
  );
  const form = (message: string): string => `section[aria-label="Message ${message}"]`;
  // Nothing is made up: what is required is empty, and refused. Only the message that is awaited has a form.
  expect(await ui.view.page.$$('section[aria-label^="Message "]')).toHaveLength(1);
  await ui.press("Send");
  await ui.view.shows(/approved \*(.|\n)*Expected(.|\n)*reason \*(.|\n)*Expected/, form("approval"));
  const history = async (): Promise<{ messages: object }> =>
    (await (await fetch(`${ui.served.url}/jobs/${id}/history`)).json()) as { messages: object };
  expect((await history()).messages).toEqual({});
  await ui.view.page.select(`${form("approval")} select`, "true");
  await expect.poll(() => ui.view.text(form("approval"))).not.toContain("Expected boolean");
  await ui.fill("textbox", "reason *", "no");
  await ui.press("Send");
  await ui.view.shows("≥ 3 characters", form("approval"));
  await ui.fill("textbox", "reason *", "It is ours.");
  await ui.press("Send");
  await ui.view.shows("The message approval was sent.");
  // The key is that of the wait.
  await ui.view.shows(/Message received\[7\]/i);
  expect(await ui.view.page.$$(form("approval"))).toEqual([]);
  expect(Object.keys((await history()).messages)).toEqual(["approval"]);
  await ui.view.page.select(`${form("received[7]")} select`, "false");
  await ui.fill("textbox", "reason *", "It is late.");
  await ui.view.page.keyboard.down("Control");
  await ui.view.page.keyboard.press("Enter");
  await ui.view.page.keyboard.up("Control");
  await ui.view.shows(/succeeded/, ".head");
  await ui.view.shows(/\d\d:\d\d (?:AM |PM )?(?:UTC|GMT)/, ".head");
  // The visible text has no lines below the window, which are not laid out.
  await expect
    .poll(() => ui.view.page.$eval('section[aria-label="Result"]', ({ textContent }) => textContent))
    .toContain("charged 7 true false 0");
  await ui.view.shows(
    /Attempt 1\n(.|\n)*wait for approval(.|\n)*message approval(.|\n)*sent at [\d:.]+ UTC: \{"approved":true,"reason":"It is ours\."\}(.|\n)*Attempt 1, part 2/,
    ".steps",
  );
  await ui.view.expectAccessible("light");
  await ui.view.page.setViewport({ width: 1440, height: 900 });
  // A step that is only reported is not stored, so that no run can begin at it.
  const names = await ui.view.page.$$eval(".steps button", (found) => found.map((one) => one.ariaLabel));
  expect(names).toEqual(["Run again from here: charge", "Run again from here: ship[a]"]);
  await ui.view.page.locator('li button[aria-label="Run again from here: ship[a]"]').click();
  await expect.poll(() => ui.view.page.evaluate("location.hash")).not.toContain(id);
  await ui.view.shows(/Message approval/i);
  await ui.view.shows(/ship\[a\](.|\n)*try 2/, ".steps");
});

test("a job that is cancelled while it waits for its turn has done nothing that could be undone", async () => {
  const headers = { "content-type": "application/json", prefer: "respond-async" };
  const first = await fetch(`${ui.served.url}/tool/lane`, { method: "POST", headers, body: "{}" });
  const { "job-id": blocking } = (await first.json()) as { "job-id": string };
  await ui.open("tools/lane");
  await ui.press("Call");
  await ui.view.shows(/pending(.|\n)*Waits for its turn/, answer);
  await ui.press("Cancel");
  await ui.view.shows("Call again to start a new job.", answer);
  await ui.view.page.locator(`${answer} a.mono`).click();
  await ui.view.shows("It never began.");
  await ui.view.shows("Call again to start a new job.");
  expect(await ui.view.text()).not.toContain("not undone");
  // That of one that ran is not undone.
  await fetch(`${ui.served.url}/jobs/${blocking.replace("urn:platform:job:", "")}`, { method: "DELETE" });
  await ui.open(`jobs/${blocking}`);
  await ui.view.shows("What it did before is not undone. Call again to start a new job.");
});

test("the page of a tool names all messages that its job waits for, and calls a step without a name so", async () => {
  await ui.open("tools/both");
  await ui.press("Call");
  await ui.view.shows(/Waits for the messages (?:seller, buyer|buyer, seller)\./, answer);
  await ui.view.shows("✓ (no name)", `${answer} .steps`);
  const [id = ""] = await ui.view.page.$$eval(`${answer} a.mono`, (links) =>
    links.map((one) => one.getAttribute("href")),
  );
  const body = JSON.stringify({ approved: true, reason: "It is ours." });
  const headers = { "content-type": "application/json" };
  const path = `/jobs/${id?.split("/").at(-1)}/messages/seller`;
  expect((await fetch(ui.served.url + path, { method: "POST", headers, body })).ok).toBe(true);
  await ui.view.shows("Waits for the message buyer.", answer);
});
