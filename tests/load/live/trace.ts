import type { Change } from '@atrium/proto-events/realtime';
import type { ChatSocket, LiveSocket } from '@atrium/web/realtime/connection/socket';

/** After this time, a request has another cause. */
const RECENT_MS = 5_000;

/** The event that a browser received last, as the likely cause of its next request. */
export function createTrace() {
  let [lastEvent, lastEventAt] = ['nothing', Number.NEGATIVE_INFINITY];
  const recordEvent = (what: string) => {
    [lastEvent, lastEventAt] = [what, performance.now()];
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
