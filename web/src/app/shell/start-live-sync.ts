import { followConversations } from '#entities/conversation/follow-conversations.ts';
import { followPresence } from '#entities/user/presence.ts';
import { read } from '#lib/api/api.ts';
import { currentUser, currentUserId, loadProfile } from '#lib/session/session.ts';
import { chatSocket, liveSocket, startSockets } from '#realtime/connection/socket.ts';
import { notifyConnected, onConnected } from '#realtime/connection/status.ts';
import { type ClientState, followChanges } from '#realtime/follow-changes.ts';
import { followThreads } from '#realtime/follow-threads.ts';

export function startLiveSync(client: ClientState): () => void {
  const stopFollowing = followChanges(client, {
    live: liveSocket,
    chat: chatSocket,
    user: currentUser,
    loadProfile,
    connects: { subscribe: onConnected, notify: notifyConnected },
  });
  const stopConversations = followConversations({ cache: client.cache, chat: chatSocket, me: currentUserId });
  const stopThreads = followThreads({ ...client, chat: chatSocket, live: liveSocket, read });
  const stopUnread = client.unread.onMarkedUnread(() => client.cache.markStale('/chat/unread'));
  const stopPresence = followPresence();
  const stopSockets = startSockets();
  return () => {
    stopFollowing();
    stopConversations();
    stopThreads();
    stopUnread();
    stopPresence();
    stopSockets();
  };
}
