import type { IncomingMessage, RequestListener } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';

const HEARTBEAT_MS = 250;
/** Longer than a garbage collection or a busy machine takes, and shorter than users wait. */
const PAUSE_THRESHOLD_MS = 1_500;
/** How long it may take to read what arrived while the process was paused. */
const RECOVERY_MS = 2_000;

/**
 * Passes requests on, except those that a resumed process (after a machine was paused) finds abandoned by their
 * senders: these have used another pod meanwhile, and a late change would undo their newer ones, a late refresh end
 * their session as stolen. The disconnect follows the request in the stream, so requests wait until it is read.
 */
export function dropAbandonedRequests(pass: RequestListener): { listener: RequestListener; close(): void } {
  let lastHeartbeat = performance.now();
  let recoveringUntil = 0;
  const wasPaused = (): boolean => {
    const now = performance.now();
    // Pending input is read before timers run.
    if (now - lastHeartbeat > PAUSE_THRESHOLD_MS) recoveringUntil = now + RECOVERY_MS;
    lastHeartbeat = now;
    return now < recoveringUntil;
  };
  const timer = setInterval(wasPaused, HEARTBEAT_MS).unref();
  const passUnlessDisconnected: RequestListener = async (req, res) => {
    // The first turn ends with pending input; the disconnect arrives with the next one.
    await nextTurn();
    await nextTurn();
    if (!isDisconnected(req)) pass(req, res);
  };
  return {
    listener: (req, res) => (wasPaused() ? passUnlessDisconnected(req, res) : pass(req, res)),
    close: () => clearInterval(timer),
  };
}

const isDisconnected = ({ destroyed, socket }: IncomingMessage): boolean =>
  destroyed || socket.destroyed || socket.readableEnded;
