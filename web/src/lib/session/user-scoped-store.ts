import { createListeners } from '../listeners.ts';
import { currentSession, currentUserId, onSessionChange } from './session.ts';

/** The user who owns the state. Read it before an async operation and pass it to `change` afterward. */
export type Owner = string | null;

type SessionEnd = { owner: string; hasSignedOut: boolean };

export type UserScopedStore<State> = {
  owner(): Owner;
  get(): State;
  change(expectedOwner: Owner, edit: (state: State) => State): State;
  subscribe(listener: () => void): () => void;
};

type StoreEntry = {
  store: UserScopedStore<unknown>;
  reset: () => void;
  onSessionEnd: (sessionEnd: SessionEnd) => void;
  notify: () => void;
};

/** Contains all stores of the app. Every store is reset before any subscriber learns of the new user. */
const storeEntries = new Set<StoreEntry>();
let owner = currentUserId();

onSessionChange(() => {
  const newOwner = currentUserId();
  if (newOwner === owner) return;
  const session = currentSession();
  const sessionEnd = owner !== null && { owner, hasSignedOut: session.state === 'anonymous' && session.hasSignedOut };
  owner = newOwner;
  for (const { reset } of storeEntries) reset();
  if (sessionEnd) for (const { onSessionEnd } of storeEntries) onSessionEnd(sessionEnd);
  for (const { notify } of storeEntries) notify();
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
    change(expectedOwner, edit) {
      if (expectedOwner === null || expectedOwner !== owner) return state;
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
  storeEntries.add({ store, reset, onSessionEnd: (sessionEnd) => onSessionEnd(previous, sessionEnd), notify });
  return store;
}

/** Lets tests check every store. */
export const listUserScopedStores = (): UserScopedStore<unknown>[] => [...storeEntries].map(({ store }) => store);
