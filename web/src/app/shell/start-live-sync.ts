import { followPresence } from '#entities/user/presence.ts';
import { currentDepartmentId, currentUserId, loadProfile } from '#lib/session/session.ts';
import { chatSocket, liveSocket, startSockets } from '#realtime/connection/socket.ts';
import { notifyConnected, onConnected } from '#realtime/connection/status.ts';
import { type ClientState, followChanges } from '#realtime/live-sync.ts';

export function startLiveSync(client: ClientState): () => void {
  const stopFollowing = followChanges(client, {
    live: liveSocket,
    chat: chatSocket,
    me: currentUserId,
    department: currentDepartmentId,
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
