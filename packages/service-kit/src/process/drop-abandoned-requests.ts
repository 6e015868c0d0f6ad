import type { IncomingMessage, RequestListener } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';

const BEAT_MS = 250;
/** Longer than a collection or a busy machine takes, and shorter than anybody's patience. */
const STANDSTILL_MS = 1_500;
/** How long what was sent to a process while it stood still may take to be read. */
const ALERT_MS = 2_000;

/**
 * Passes requests on, but for those that a process which stood still (a paused machine) finds when it goes on, and whose senders have
 * gone: they have asked another pod meanwhile, and done late a change would undo what they did since, a renewal end their session as
 * stolen. That they have gone stands behind what they sent, so requests wait then until that is read.
 */
export function dropAbandonedRequests(pass: RequestListener): { listener: RequestListener; close(): void } {
  let beat = performance.now();
  let alertUntil = 0;
  const wasPaused = (): boolean => {
    const now = performance.now();
    // What was sent is read before any timer runs.
    if (now - beat > STANDSTILL_MS) alertUntil = now + ALERT_MS;
    beat = now;
    return now < alertUntil;
  };
  const timer = setInterval(wasPaused, BEAT_MS).unref();
  const passUnlessGone: RequestListener = async (req, res) => {
    // The first turn ends with what is read now; the hang-up comes with the next one.
    await nextTurn();
    await nextTurn();
    if (!hasGone(req)) pass(req, res);
  };
  return {
    listener: (req, res) => (wasPaused() ? passUnlessGone(req, res) : pass(req, res)),
    close: () => clearInterval(timer),
  };
}

const hasGone = ({ destroyed, socket }: IncomingMessage): boolean =>
  destroyed || socket.destroyed || socket.readableEnded;
