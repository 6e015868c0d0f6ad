import { createListeners } from '../listeners.ts';
import { currentSession, currentUserId, onSessionChange } from './session.ts';

/** Who a piece of state belongs to: take it before waiting for anything, and give it with what comes of it. */
export type Owner = string | null;

/** `hasLeft`: by logging out, and not because the session ended or somebody else came. */
export type Leaving = { owner: string; hasLeft: boolean };

export type UserScopedStore<State> = {
  owner(): Owner;
  get(): State;
  /** Answers the state as it is then. */
  change(as: Owner, edit: (state: State) => State): State;
  subscribe(listener: () => void): () => void;
};

type Follower = { store: UserScopedStore<unknown>; initialState: () => void; userLeft: (leaving: Leaving) => void; notify: () => void };

/** Of the whole app: what one person leaves is gone everywhere before anything hears that somebody else is here. */
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
 * State outside of the screens that belongs to whoever is signed in. It begins anew when they leave, and what somebody began is never
 * written to the next: a change is made for an owner, and dropped once that is somebody else. `onLeave` ends what goes on by itself, or is kept elsewhere.
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

/** For what has to hold for all of them. */
export const everyUserScopedStore = (): UserScopedStore<unknown>[] => [...followers].map(({ store }) => store);
