import type { Change } from '@atrium/proto-events/realtime';
import type { ChatSocket, LiveSocket } from '@atrium/web/realtime/socket';

/** So much later a question has another reason. */
const RECENT_MS = 5_000;

/** What a browser heard last, in words: why it may have asked. */
export function createTrace() {
  let [heard, heardAt] = ['nothing', Number.NEGATIVE_INFINITY];
  const hear = (what: string) => {
    [heard, heardAt] = [what, performance.now()];
  };
  return {
    follow(live: LiveSocket, chat: ChatSocket): void {
      live.onAny((event: string, payload: { changes?: Change[] }) =>
        hear(
          event === 'changed'
            ? [...new Set(payload.changes?.map(({ resource, action }) => `${resource} ${action}`))].sort().join(' and ')
            : event,
        ),
      );
      chat.onAny((event: string) => hear(event));
      live.on('connect', () => hear('connect of live'));
      chat.on('connect', () => hear('connect of chat'));
    },
    latest: () => (performance.now() - heardAt < RECENT_MS ? heard : `nothing for ${RECENT_MS / 1_000} s`),
  };
}
