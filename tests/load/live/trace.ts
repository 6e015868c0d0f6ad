import type { Change } from '@atrium/proto-events/realtime';
import type { ChatSocket, LiveSocket } from '@atrium/web/realtime/connection/socket';

/** A request that comes later than this after an event has a different cause. */
const RECENT_MS = 5_000;

/** Tracks the last event that a browser received, which is the likely cause of its next request. */
export function createTrace() {
  let lastEvent = 'nothing';
  let lastEventAt = Number.NEGATIVE_INFINITY;
  const recordEvent = (name: string) => {
    lastEvent = name;
    lastEventAt = performance.now();
  };
  return {
    follow(live: LiveSocket, chat: ChatSocket): void {
      live.onAny((event: string, payload: { changes?: Change[] }) =>
        recordEvent(
          event === 'changed'
            ? [...new Set(payload.changes?.map(({ resource, action }) => `${resource} ${action}`))].sort().join(' and ')
            : event,
        ),
      );
      chat.onAny((event: string) => recordEvent(event));
      live.on('connect', () => recordEvent('connect of live'));
      chat.on('connect', () => recordEvent('connect of chat'));
    },
    latest: () => (performance.now() - lastEventAt < RECENT_MS ? lastEvent : `nothing for ${RECENT_MS / 1_000} s`),
  };
}
