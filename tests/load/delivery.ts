import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from './figures.ts';
import type { HttpSender } from './http-sender.ts';
import { connectRaw, type RawSocket } from './raw-socket.ts';

export const SOCKETS = 200;
const STEP_SECONDS = 3;
/** A delivery that takes longer does not count as live: the 99th percentile must be below 250 ms. */
const LATE_MS = 250;
/** Only these sockets parse their messages, to save CPU in this process. */
const PARSED_SOCKETS = 5;

export type Room = {
  /** Name in printed lines. */
  name: string;
  url: string;
  namespace: string;
  auth: (index: number) => unknown;
  /** Sends a message into the room, as one user over HTTP. */
  sender: HttpSender;
  body: (content: string) => unknown;
};

/** Deliveries per second at one rate, and the 99th percentile of their latency. */
type Step = { rate: number; deliveries: number; p99Ms: number; isComplete: boolean };

/** Seven halvings locate the knee within two percent of the range. */
const ROUNDS = 7;
const RANGE = { low: 25, high: 1_600 };

type Search = { audience: Audience; low: number; high: number; best: number };

/** The sockets in a room, and the latencies in milliseconds of what they have received. */
type Audience = { room: Room; sockets: readonly RawSocket[]; latencies: number[]; close(): void };

/**
 * Finds the highest rate of messages to rooms of 200 sockets at which all are delivered live, in deliveries per second.
 * The rooms alternate, so that other load on the machine affects all of them.
 */
export async function findHighestRates(rooms: readonly Room[], log: (line: string) => void): Promise<number[]> {
  const searches: Search[] = await Promise.all(
    rooms.map(async (room) => ({ audience: await connectAudience(room), ...RANGE, best: 0 })),
  );
  try {
    for (const { audience } of searches) await runStep(audience, RANGE.low);
    for (let round = 0; round < ROUNDS; round += 1) for (const search of searches) await narrowRange(search, log);
    return searches.map(({ best }) => best);
  } finally {
    for (const { audience } of searches) audience.close();
  }
}

async function connectAudience(room: Room): Promise<Audience> {
  const { url, namespace, auth, sender } = room;
  const connecting = Array.from({ length: SOCKETS }, (_, index) => connectRaw(url, namespace, auth(index)));
  const sockets = await Promise.all(connecting);
  const latencies: number[] = [];
  for (const [index, socket] of sockets.entries())
    if (index % (SOCKETS / PARSED_SOCKETS) === 0) socket.onEvent((frame) => recordLatency(frame, latencies));
  return {
    room,
    sockets,
    latencies,
    close() {
      for (const socket of sockets) socket.close();
      sender.close();
    },
  };
}

function recordLatency(frame: string, latencies: number[]): void {
  const dueAt = /@(\d+\.\d+)@/.exec(frame)?.[1];
  if (dueAt !== undefined) latencies.push(performance.now() - Number(dueAt));
}

async function narrowRange(search: Search, log: (line: string) => void): Promise<void> {
  const { audience, low, high } = search;
  const rate = Math.round((low + high) / 2);
  // A rate is too high only if it fails twice, because the machine may pause once.
  const first = await runStep(audience, rate);
  const step = isLive(first) ? first : await runStep(audience, rate);
  const isGood = isLive(step);
  log(
    `  ${audience.room.name}, ${rate}/s into the room: ${Math.round(step.deliveries)} deliveries/s, p99 ${step.p99Ms.toFixed(0)} ms${isGood ? '' : ' (too late)'}`,
  );
  if (isGood) search.best = Math.max(search.best, step.deliveries);
  if (isGood) search.low = rate;
  else search.high = rate;
}

/** Measures the latencies in milliseconds of messages to 5 of 200 sockets while `work` runs. */
export async function measureLatencies(room: Room, rate: number, work: () => Promise<unknown>): Promise<number[]> {
  const { sockets, latencies, close } = await connectAudience(room);
  try {
    // Warm-up, so that first-time costs do not count.
    await sendAtRate(room, { rate, isFinished: (elapsedMs) => elapsedMs > 3_000 });
    latencies.length = 0;
    let isDone = false;
    const working = work().finally(() => {
      isDone = true;
    });
    await sendAtRate(room, { rate, isFinished: () => isDone });
    await working;
    await waitUntilDrained(sockets);
    return latencies;
  } finally {
    close();
  }
}

/**
 * Sends messages at a rate without waiting for responses. Each contains the time when it was due, so that a sender that
 * falls behind counts as latency. Resolves with the number of messages when all have been answered.
 */
async function sendAtRate(
  { sender, body }: Room,
  { rate, isFinished }: { rate: number; isFinished: (elapsedMs: number) => boolean },
): Promise<number> {
  const startedAt = performance.now();
  const pending: Promise<void>[] = [];
  for (let elapsedMs = 0; !isFinished(elapsedMs); elapsedMs = performance.now() - startedAt) {
    for (const due = (elapsedMs / 1000) * rate; pending.length < due; ) {
      const dueAt = startedAt + (pending.length / rate) * 1000;
      const sent = sender.send(body(`@${dueAt.toFixed(3)}@ ${'word '.repeat(12)}`));
      // Rejections are reported below.
      sent.catch(() => undefined);
      pending.push(sent);
    }
    await delay(2);
  }
  await Promise.all(pending);
  return pending.length;
}

const isLive = ({ isComplete, p99Ms }: Step) => isComplete && p99Ms < LATE_MS;

const countReceived = (sockets: readonly RawSocket[]) => sockets.reduce((sum, socket) => sum + socket.received(), 0);

/** Waits for messages left over from a rate that was too high, which must not affect the next rate. */
async function waitUntilDrained(sockets: readonly RawSocket[]): Promise<void> {
  const deadline = performance.now() + 30_000;
  for (let previousCount = -1; previousCount !== countReceived(sockets) && performance.now() < deadline; ) {
    previousCount = countReceived(sockets);
    await delay(300);
  }
}

async function runStep({ room, sockets, latencies }: Audience, rate: number): Promise<Step> {
  latencies.length = 0;
  const previousCount = countReceived(sockets);
  const sentCount = await sendAtRate(room, { rate, isFinished: (elapsedMs) => elapsedMs >= STEP_SECONDS * 1000 });
  await delay(LATE_MS * 2);
  const receivedCount = countReceived(sockets) - previousCount;
  const p99Ms = percentile(latencies, 0.99);
  await waitUntilDrained(sockets);
  return {
    rate,
    deliveries: Math.min(receivedCount, sentCount * SOCKETS) / STEP_SECONDS,
    p99Ms,
    isComplete: receivedCount >= sentCount * SOCKETS,
  };
}
