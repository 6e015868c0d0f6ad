import { loadProfile, presentPerson } from '../lib/session/session.ts';
import { type Followed, followLive } from './follow-live.ts';
import { followPresence } from './presence.ts';
import { chatSocket, liveSocket, startSockets } from './socket.ts';
import { noteConnected, whenConnected } from './status.ts';

/** Keeps every list on the screen as the server has it, for as long as someone is signed in. */
export function followChanges(followed: Followed): () => void {
  const stopFollowing = followLive(followed, {
    live: liveSocket,
    chat: chatSocket,
    me: presentPerson,
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
