import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from './figures.ts';
import { connectRaw, type RawSocket } from './raw-socket.ts';

export const SOCKETS = 200;
const STEP_SECONDS = 2;
/** A delivery later than this is no longer live (issue: 99th percentile under 250 ms). */
const LATE_MS = 250;

export type Room = {
  /** For the lines that are printed. */
  name: string;
  url: string;
  namespace: string;
  auth: (index: number) => unknown;
  send: (socket: RawSocket, content: string) => void;
};

/** What one rate came to: deliveries a second and the 99th percentile of their latency. */
type Step = { rate: number; deliveries: number; p99Ms: number; complete: boolean };

/** Six halvings place the knee within two percent of the range. */
const ROUNDS = 6;
const RANGE = { low: 25, high: 800 };

type Search = { room: Room; sockets: RawSocket[]; low: number; high: number; best: number };

/**
 * The highest rate of messages into each of some rooms of 200 sockets that is delivered whole and live; in deliveries a second. The rooms
 * take turns, so that a machine that is busy for a while is so for all of them.
 */
export async function highestDeliveryRates(rooms: readonly Room[], log: (line: string) => void): Promise<number[]> {
  const searches: Search[] = await Promise.all(
    rooms.map(async (room) => ({ room, sockets: await connectAll(room), ...RANGE, best: 0 })),
  );
  try {
    await delay(500);
    for (let round = 0; round < ROUNDS; round += 1) for (const search of searches) await halve(search, log);
    return searches.map(({ best }) => best);
  } finally {
    for (const socket of searches.flatMap(({ sockets }) => sockets)) socket.close();
  }
}

const connectAll = ({ url, namespace, auth }: Room) =>
  Promise.all(Array.from({ length: SOCKETS }, (_, index) => connectRaw(url, namespace, auth(index))));

async function halve(search: Search, log: (line: string) => void): Promise<void> {
  const { room, sockets, low, high } = search;
  const rate = Math.round((low + high) / 2);
  // One pause of the machine is no verdict on a rate: it is too high when it fails twice.
  const first = await runStep(sockets, room, rate);
  const step = isLive(first) ? first : await runStep(sockets, room, rate);
  const good = isLive(step);
  log(
    `  ${room.name}, ${rate}/s into the room: ${Math.round(step.deliveries)} deliveries/s, p99 ${step.p99Ms.toFixed(0)} ms${good ? '' : ' (too late)'}`,
  );
  if (good) search.best = Math.max(search.best, step.deliveries);
  if (good) search.low = rate;
  else search.high = rate;
}

/** How late messages at that rate come to every fortieth of 200 sockets, in milliseconds, for as long as some work takes. */
export async function latenciesWhile(room: Room, rate: number, work: () => Promise<unknown>): Promise<number[]> {
  const sockets = await connectAll(room);
  try {
    const latencies: number[] = [];
    for (const [index, socket] of sockets.entries())
      if (index % 40 === 0) socket.onEvent((frame) => noteLatency(frame, latencies));
    // What a process does for the first time is not the uploads' fault.
    await talk(sockets, room, { rate, isOver: (elapsedMs) => elapsedMs > 3_000 });
    latencies.length = 0;
    let isDone = false;
    const working = work().finally(() => {
      isDone = true;
    });
    await talk(sockets, room, { rate, isOver: () => isDone });
    await working;
    await drained(sockets);
    return latencies;
  } finally {
    for (const socket of sockets) socket.close();
  }
}

function noteLatency(frame: string, latencies: number[]): void {
  const sent = /@(\d+\.\d+)@/.exec(frame)?.[1];
  if (sent !== undefined) latencies.push(performance.now() - Number(sent));
}

type Talk = { rate: number; isOver: (elapsedMs: number) => boolean };

/** Everybody talks in turn, at that rate. */
async function talk(sockets: readonly RawSocket[], room: Room, { rate, isOver }: Talk): Promise<void> {
  const started = performance.now();
  for (let sent = 0; !isOver(performance.now() - started); ) {
    const due = Math.ceil(((performance.now() - started) / 1000) * rate);
    for (; sent < due; sent += 1) {
      const sender = sockets[sent % sockets.length];
      if (sender) room.send(sender, `@${performance.now()}@ ${'word '.repeat(12)}`);
    }
    await delay(5);
  }
}

const isLive = ({ complete, p99Ms }: Step) => complete && p99Ms < LATE_MS;

const received = (sockets: readonly RawSocket[]) => sockets.reduce((sum, socket) => sum + socket.received(), 0);

/** What a rate that was too high has left behind arrives first: the next rate is not to pay for it. */
async function drained(sockets: readonly RawSocket[]): Promise<void> {
  const deadline = performance.now() + 30_000;
  for (let before = -1; before !== received(sockets) && performance.now() < deadline; ) {
    before = received(sockets);
    await delay(300);
  }
}

async function runStep(sockets: RawSocket[], room: Room, rate: number): Promise<Step> {
  const latencies: number[] = [];
  // Every fortieth socket looks at what it gets; the others only count, to keep this process out of the way.
  let watching = true;
  // Everybody talks in turn, as a lively room does; one socket alone is held to a person's pace by the service.
  let turn = 0;
  const sendNext = (content: string) => {
    const sender = sockets[turn++ % sockets.length];
    if (sender) room.send(sender, content);
  };
  const watch = (frame: string) => {
    const sent = /@(\d+\.\d+)@/.exec(frame)?.[1];
    if (watching && sent !== undefined) latencies.push(performance.now() - Number(sent));
  };
  for (const [index, socket] of sockets.entries()) if (index % 40 === 0) socket.onEvent(watch);
  const before = received(sockets);
  const started = performance.now();
  const total = rate * STEP_SECONDS;
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.ceil(((performance.now() - started) / 1000) * rate));
    for (; sent < due; sent += 1) sendNext(`@${performance.now()}@ ${'word '.repeat(12)}`);
    await delay(5);
  }
  const seconds = (performance.now() - started) / 1000;
  await delay(LATE_MS * 2);
  watching = false;
  const got = received(sockets) - before;
  await drained(sockets);
  return {
    rate,
    deliveries: Math.min(got, total * (sockets.length - 1)) / seconds,
    p99Ms: percentile(latencies, 0.99),
    complete: got >= total * (sockets.length - 1),
  };
}
