import { createListeners } from '../listeners.ts';
import { currentSession, currentUserId, onSessionChange } from './session.ts';

/** Who a piece of state belongs to: take it before waiting for anything, and give it with what comes of it. */
export type Owner = string | null;

/** `hasLeft`: by logging out, and not because the session ended or somebody else came. */
export type Leaving = { owner: string; hasLeft: boolean };

export type PersonStore<State> = {
  owner(): Owner;
  get(): State;
  /** Answers the state as it is then. */
  change(as: Owner, edit: (state: State) => State): State;
  subscribe(listener: () => void): () => void;
};

type Follower = { store: PersonStore<unknown>; begin: () => void; leave: (leaving: Leaving) => void; tell: () => void };

/** Of the whole app: what one person leaves is gone everywhere before anything hears that somebody else is here. */
const followers = new Set<Follower>();
let owner = currentUserId();

onSessionChange(() => {
  const present = currentUserId();
  if (present === owner) return;
  const session = currentSession();
  const leaving = owner !== null && { owner, hasLeft: session.state === 'anonymous' && session.hasLeft };
  owner = present;
  for (const { begin } of followers) begin();
  if (leaving) for (const { leave } of followers) leave(leaving);
  for (const { tell } of followers) tell();
});

/**
 * State outside of the screens that belongs to whoever is signed in. It begins anew when they leave, and what somebody began is never
 * written to the next: a change is made for an owner, and dropped once that is somebody else. `onLeave` ends what goes on by itself, or is kept elsewhere.
 */
export function createUserScopedStore<State>(
  begin: () => State,
  onLeave: (left: State, leaving: Leaving) => void = () => undefined,
): PersonStore<State> {
  let state = begin();
  let left = state;
  const { subscribe, tell } = createListeners();
  const store: PersonStore<State> = {
    owner: () => owner,
    get: () => state,
    change(as, edit) {
      if (as === null || as !== owner) return state;
      const next = edit(state);
      if (next === state) return state;
      state = next;
      tell();
      return state;
    },
    subscribe,
  };
  const beginAnew = () => {
    left = state;
    state = begin();
  };
  followers.add({ store, begin: beginAnew, leave: (leaving) => onLeave(left, leaving), tell });
  return store;
}

/** For what has to hold for all of them. */
export const everyPersonStore = (): PersonStore<unknown>[] => [...followers].map(({ store }) => store);
