import { followPresence } from '../../entities/user/presence.ts';
import { currentUserId, loadProfile, presentDepartment } from '../../lib/session/session.ts';
import { type Followed, liveSync } from '../../realtime/live-sync.ts';
import { chatSocket, liveSocket, startSockets } from '../../realtime/socket.ts';
import { noteConnected, whenConnected } from '../../realtime/status.ts';

/** Keeps every list on the screen as the server has it, for as long as someone is signed in. */
export function followChanges(followed: Followed): () => void {
  const stopFollowing = liveSync(followed, {
    live: liveSocket,
    chat: chatSocket,
    me: currentUserId,
    department: presentDepartment,
    loadProfile,
    connects: { subscribe: whenConnected, tell: noteConnected },
  });
  const stopPresence = followPresence();
  const stopSockets = startSockets();
  return () => {
    stopFollowing();
    stopPresence();
    stopSockets();
  };
}
