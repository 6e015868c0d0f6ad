import { followPresence } from '#entities/user/presence.ts';
import { currentUser, loadProfile } from '#lib/session/session.ts';
import { chatSocket, liveSocket, startSockets } from '#realtime/connection/socket.ts';
import { notifyConnected, onConnected } from '#realtime/connection/status.ts';
import { type ClientState, followChanges } from '#realtime/follow-changes.ts';

export function startLiveSync(client: ClientState): () => void {
  const stopFollowing = followChanges(client, {
    live: liveSocket,
    chat: chatSocket,
    user: currentUser,
    loadProfile,
    connects: { subscribe: onConnected, notify: notifyConnected },
  });
  const stopPresence = followPresence();
  const stopSockets = startSockets();
  return () => {
    stopFollowing();
    stopPresence();
    stopSockets();
  };
}
