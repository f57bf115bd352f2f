// A process that sends jobs through one of the queues on PostgreSQL: `NAME URL SCHEMA`.
import { answerRounds } from "../lib/client-process.ts";
import { measure } from "../store/measure.ts";
import { peerQueues } from "../store/peer-queues.ts";
import { tenonQueue } from "../store/tenon-queue.ts";

const [, , wanted, url = "", schema = ""] = process.argv;
const contender = [tenonQueue, ...peerQueues].find(({ name }) => name === wanted);
if (contender === undefined) throw new Error(`There is no queue ${wanted}.`);
const { through } = await contender.open(url, schema);
answerRounds((jobs) => measure(through, jobs, 50));
