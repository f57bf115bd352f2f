import { FastMCP, UserError } from "fastmcp";
import * as z from "zod";

const server = new FastMCP({ name: "Weather", version: "1.0.0" });

const Place = z.object({ lat: z.number().min(-90).max(90), lon: z.number().min(-180).max(180) });
type Place = z.infer<typeof Place>;

function far(place: Place): boolean {
  return Math.abs(place.lat) > 66;
}

server.addTool({
  name: "forecast",
  description: "Forecasts the weather at a place. Mail @weather for more.",
  annotations: { readOnlyHint: true, openWorldHint: true, title: "Forecast" },
  parameters: z.object({
    place: Place.describe("Place of the forecast"),
    days: z.number().int().min(1).max(14).optional(),
  }),
  execute: async ({ place, days = 3 }, { log }) => {
    if (far(place)) throw new UserError("That is too far north.");
    log.info("forecast", { days });
    return `Sun for ${days} days.`;
  },
});

const alerts = {
  name: "alerts",
  description: "Lists alerts.",
  parameters: z.object({}),
  execute: async () => JSON.stringify([]),
};
server.addTool(alerts);

server.start({ transportType: "stdio" });
