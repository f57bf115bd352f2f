import { describeStore } from "../conformance.ts";
import { sqlitePlace } from "../sqlite-place.ts";

describeStore("sqlite", { place: sqlitePlace, durable: true });
