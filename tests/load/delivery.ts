import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from './figures.ts';
import { connectRaw, type RawSocket } from './raw-socket.ts';

export const SOCKETS = 200;
const STEP_SECONDS = 2;
/** A delivery that takes longer does not count as live: the 99th percentile must be below 250 ms. */
const LATE_MS = 250;

export type Room = {
  /** Name in printed lines. */
  name: string;
  url: string;
  namespace: string;
  auth: (index: number) => unknown;
  send: (socket: RawSocket, content: string) => void;
};

/** Deliveries per second at one rate, and the 99th percentile of their latency. */
type Step = { rate: number; deliveries: number; p99Ms: number; complete: boolean };

/** Six halvings locate the knee within two percent of the range. */
const ROUNDS = 6;
const RANGE = { low: 25, high: 800 };

type Search = { room: Room; sockets: RawSocket[]; low: number; high: number; best: number };

/**
 * Finds the highest rate of messages to rooms of 200 sockets at which all are delivered live, in deliveries per second.
 * The rooms alternate, so that other load on the machine affects all of them.
 */
export async function findHighestRates(rooms: readonly Room[], log: (line: string) => void): Promise<number[]> {
  const searches: Search[] = await Promise.all(
    rooms.map(async (room) => ({ room, sockets: await connectAll(room), ...RANGE, best: 0 })),
  );
  try {
    await delay(500);
    for (let round = 0; round < ROUNDS; round += 1) for (const search of searches) await narrowRange(search, log);
    return searches.map(({ best }) => best);
  } finally {
    for (const socket of searches.flatMap(({ sockets }) => sockets)) socket.close();
  }
}

const connectAll = ({ url, namespace, auth }: Room) =>
  Promise.all(Array.from({ length: SOCKETS }, (_, index) => connectRaw(url, namespace, auth(index))));

async function narrowRange(search: Search, log: (line: string) => void): Promise<void> {
  const { room, sockets, low, high } = search;
  const rate = Math.round((low + high) / 2);
  // A rate is too high only if it fails twice, because the machine may pause once.
  const first = await runStep(sockets, room, rate);
  const step = isLive(first) ? first : await runStep(sockets, room, rate);
  const isGood = isLive(step);
  log(
    `  ${room.name}, ${rate}/s into the room: ${Math.round(step.deliveries)} deliveries/s, p99 ${step.p99Ms.toFixed(0)} ms${isGood ? '' : ' (too late)'}`,
  );
  if (isGood) search.best = Math.max(search.best, step.deliveries);
  if (isGood) search.low = rate;
  else search.high = rate;
}

/** Measures the latencies in milliseconds of messages to every fortieth of 200 sockets while `work` runs. */
export async function measureLatencies(room: Room, rate: number, work: () => Promise<unknown>): Promise<number[]> {
  const sockets = await connectAll(room);
  try {
    const latencies: number[] = [];
    for (const [index, socket] of sockets.entries())
      if (index % 40 === 0) socket.onEvent((frame) => recordLatency(frame, latencies));
    // Warm-up, so that first-time costs do not count.
    await sendTraffic(sockets, room, { rate, isFinished: (elapsedMs) => elapsedMs > 3_000 });
    latencies.length = 0;
    let isDone = false;
    const working = work().finally(() => {
      isDone = true;
    });
    await sendTraffic(sockets, room, { rate, isFinished: () => isDone });
    await working;
    await waitUntilDrained(sockets);
    return latencies;
  } finally {
    for (const socket of sockets) socket.close();
  }
}

function recordLatency(frame: string, latencies: number[]): void {
  const sent = /@(\d+\.\d+)@/.exec(frame)?.[1];
  if (sent !== undefined) latencies.push(performance.now() - Number(sent));
}

type TrafficParams = { rate: number; isFinished: (elapsedMs: number) => boolean };

/** Sends messages from each socket in turn at a rate. */
async function sendTraffic(
  sockets: readonly RawSocket[],
  room: Room,
  { rate, isFinished }: TrafficParams,
): Promise<void> {
  const startedAt = performance.now();
  for (let sent = 0; !isFinished(performance.now() - startedAt); ) {
    const due = Math.ceil(((performance.now() - startedAt) / 1000) * rate);
    for (; sent < due; sent += 1) {
      const sender = sockets[sent % sockets.length];
      if (sender) room.send(sender, `@${performance.now()}@ ${'word '.repeat(12)}`);
    }
    await delay(5);
  }
}

const isLive = ({ complete, p99Ms }: Step) => complete && p99Ms < LATE_MS;

const countReceived = (sockets: readonly RawSocket[]) => sockets.reduce((sum, socket) => sum + socket.received(), 0);

/** Waits for messages left over from a rate that was too high, which must not affect the next rate. */
async function waitUntilDrained(sockets: readonly RawSocket[]): Promise<void> {
  const deadline = performance.now() + 30_000;
  for (let previousCount = -1; previousCount !== countReceived(sockets) && performance.now() < deadline; ) {
    previousCount = countReceived(sockets);
    await delay(300);
  }
}

async function runStep(sockets: RawSocket[], room: Room, rate: number): Promise<Step> {
  const latencies: number[] = [];
  // Only every fortieth socket parses its messages, to save CPU in this process.
  let isRecording = true;
  // The sockets send in turn, because the service limits the rate of a single socket.
  let turn = 0;
  const sendNext = (content: string) => {
    const sender = sockets[turn++ % sockets.length];
    if (sender) room.send(sender, content);
  };
  const watch = (frame: string) => {
    const sent = /@(\d+\.\d+)@/.exec(frame)?.[1];
    if (isRecording && sent !== undefined) latencies.push(performance.now() - Number(sent));
  };
  for (const [index, socket] of sockets.entries()) if (index % 40 === 0) socket.onEvent(watch);
  const previousCount = countReceived(sockets);
  const startedAt = performance.now();
  const total = rate * STEP_SECONDS;
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.ceil(((performance.now() - startedAt) / 1000) * rate));
    for (; sent < due; sent += 1) sendNext(`@${performance.now()}@ ${'word '.repeat(12)}`);
    await delay(5);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  await delay(LATE_MS * 2);
  isRecording = false;
  const receivedCount = countReceived(sockets) - previousCount;
  await waitUntilDrained(sockets);
  return {
    rate,
    deliveries: Math.min(receivedCount, total * (sockets.length - 1)) / seconds,
    p99Ms: percentile(latencies, 0.99),
    complete: receivedCount >= total * (sockets.length - 1),
  };
}
