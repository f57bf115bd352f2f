import { ValueError } from "tenon";

// Not carried over: give it a value, or import it.
declare const log: any;

export interface Place {
  /**
   * @minimum -90
   * @maximum 90
   */
  lat: number;
  /**
   * @minimum -180
   * @maximum 180
   */
  lon: number;
}

function far(place: Place): boolean {
  return Math.abs(place.lat) > 66;
}

/** @schema urn:example:schema.forecast.request.1 */
export interface ForecastRequest {
  /** Place of the forecast */
  place: Place;
  /**
   * @type integer
   * @minimum 1
   * @maximum 14
   */
  days?: number;
}

/**
 * Forecasts the weather at a place. Mail \@weather for more.
 * @tool
 * @title Forecast
 * @readonly
 * @openWorld
 */
export async function forecast(request: ForecastRequest): Promise<string> {
  const { place, days = 3 } = request;
  if (far(place)) throw new ValueError("That is too far north.");
  log.info("forecast", { days });
  return `Sun for ${days} days.`;
}

/**
 * Lists alerts.
 * @tool
 */
export async function alerts(): Promise<string> {
  return JSON.stringify([]);
}
