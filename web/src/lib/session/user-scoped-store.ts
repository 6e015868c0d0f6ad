import { createListeners } from '../listeners.ts';
import { currentSession, currentUserId, onSessionChange } from './session.ts';

/** Whose state it is: read it before an async operation and pass it to `change` afterwards. */
export type Owner = string | null;

type SessionEnd = { owner: string; hasSignedOut: boolean };

export type UserScopedStore<State> = {
  owner(): Owner;
  get(): State;
  change(as: Owner, edit: (state: State) => State): State;
  subscribe(listener: () => void): () => void;
};

type Follower = {
  store: UserScopedStore<unknown>;
  reset: () => void;
  onSessionEnd: (sessionEnd: SessionEnd) => void;
  notify: () => void;
};

/** All stores of the app: every store is reset before any subscriber learns of the new user. */
const followers = new Set<Follower>();
let owner = currentUserId();

onSessionChange(() => {
  const present = currentUserId();
  if (present === owner) return;
  const session = currentSession();
  const sessionEnd = owner !== null && { owner, hasSignedOut: session.state === 'anonymous' && session.hasSignedOut };
  owner = present;
  for (const { reset } of followers) reset();
  if (sessionEnd) for (const { onSessionEnd } of followers) onSessionEnd(sessionEnd);
  for (const { notify } of followers) notify();
});

/** Changes on behalf of a previous owner are ignored. `onSessionEnd` stops background work and clears other storage. */
export function createUserScopedStore<State>(
  initialState: () => State,
  onSessionEnd: (previous: State, sessionEnd: SessionEnd) => void = () => undefined,
): UserScopedStore<State> {
  let state = initialState();
  let previous = state;
  const { subscribe, notify } = createListeners();
  const store: UserScopedStore<State> = {
    owner: () => owner,
    get: () => state,
    change(as, edit) {
      if (as === null || as !== owner) return state;
      const next = edit(state);
      if (next === state) return state;
      state = next;
      notify();
      return state;
    },
    subscribe,
  };
  const reset = () => {
    previous = state;
    state = initialState();
  };
  followers.add({ store, reset, onSessionEnd: (sessionEnd) => onSessionEnd(previous, sessionEnd), notify });
  return store;
}

/** For tests that check every store. */
export const everyUserScopedStore = (): UserScopedStore<unknown>[] => [...followers].map(({ store }) => store);
