import { createListeners } from '../listeners.ts';
import { currentSession, currentUserId, onSessionChange } from './session.ts';

/** Whose state it is: read it before an async operation and pass it to `change` afterwards. */
export type Owner = string | null;

/** `hasLeft`: by logging out, not because the session ended or another user signed in. */
export type Leaving = { owner: string; hasLeft: boolean };

export type UserScopedStore<State> = {
  owner(): Owner;
  get(): State;
  /** Returns the new state. */
  change(as: Owner, edit: (state: State) => State): State;
  subscribe(listener: () => void): () => void;
};

type Follower = {
  store: UserScopedStore<unknown>;
  initialState: () => void;
  userLeft: (leaving: Leaving) => void;
  notify: () => void;
};

/** All stores of the app: every store is reset before any subscriber learns of the new user. */
const followers = new Set<Follower>();
let owner = currentUserId();

onSessionChange(() => {
  const present = currentUserId();
  if (present === owner) return;
  const session = currentSession();
  const leaving = owner !== null && { owner, hasLeft: session.state === 'anonymous' && session.hasLeft };
  owner = present;
  for (const { initialState } of followers) initialState();
  if (leaving) for (const { userLeft } of followers) userLeft(leaving);
  for (const { notify } of followers) notify();
});

/**
 * State of the signed-in user outside of components. It is reset when they leave, and changes on behalf of a previous
 * owner are ignored. `onUserLeft` stops background work and clears other storage.
 */
export function createUserScopedStore<State>(
  initialState: () => State,
  onUserLeft: (previous: State, leaving: Leaving) => void = () => undefined,
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
  followers.add({ store, initialState: reset, userLeft: (leaving) => onUserLeft(previous, leaving), notify });
  return store;
}

/** For tests that check every store. */
export const everyUserScopedStore = (): UserScopedStore<unknown>[] => [...followers].map(({ store }) => store);
