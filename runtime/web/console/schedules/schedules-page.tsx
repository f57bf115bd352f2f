import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { errorText, useLoaded } from "../base/use-loaded.ts";
import { toJson } from "../base/json.ts";
import { useStore } from "../base/use-store.ts";
import { useSession } from "../client/session.ts";
import { Page } from "../parts/card.tsx";
import { Progress } from "../parts/notice.tsx";
import { schedulesOf, type Schedule } from "./schedule.ts";
import { ScheduleCard } from "./schedule-card.tsx";

/** Milliseconds between two polls. */
const every = 2000;

/** Shows the schedules of a service: next firings, jobs, and a button that pauses each schedule. */
export function SchedulesPage(): VNode {
  const { backend, services } = useSession();
  const { client } = backend;
  const [turn, setTurn] = useState(0);
  const [said, setSaid] = useState("");
  const list = useLoaded(() => schedulesOf(backend, services), [services, turn, useStore(client.epoch)], every);
  const { value: found = [] } = list;
  const pause = ({ path, tool, number, name }: Schedule, isPaused: boolean): void => {
    const body = toJson(isPaused);
    const headers = { "content-type": "application/json" };
    client.json(`${path}/${tool}/${number}/paused`, { method: "PUT", headers, body }).then(
      () => {
        setSaid(isPaused ? `${name} is paused, for all replicas.` : `${name} goes on with its next time.`);
        setTurn((last) => last + 1);
      },
      (error: unknown) => setSaid(errorText(error)),
    );
  };
  return (
    <Page>
      <div class="head">
        <h1>Schedules</h1>
        <span role="status" class="dim">
          {said}
        </span>
      </div>
      <Progress of={list} empty={found.length === 0 && "No tool starts by itself."} />
      <ul class="cards">
        {found.map((schedule) => (
          <li key={schedule.name}>
            <ScheduleCard schedule={schedule} pause={(isPaused) => pause(schedule, isPaused)} />
          </li>
        ))}
      </ul>
    </Page>
  );
}
