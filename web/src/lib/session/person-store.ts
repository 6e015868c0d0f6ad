import { createListeners } from '../listeners.ts';
import { onSessionChange, presentPerson } from './session.ts';

/** Who a piece of state belongs to: take it before waiting for anything, and give it with what comes of it. */
export type Owner = string | null;

/**
 * State outside of the screens that belongs to whoever is signed in. It begins anew when they leave, and what somebody began is never
 * written to the next: a change is made for an owner, and dropped once that is somebody else.
 */
export function createPersonStore<State>(begin: () => State, onLeave: (left: State) => void = () => undefined) {
  let owner = presentPerson();
  let state = begin();
  const { subscribe, tell } = createListeners();
  const follow = () => {
    const present = presentPerson();
    if (present === owner) return;
    const left = state;
    owner = present;
    state = begin();
    onLeave(left);
    tell();
  };
  onSessionChange(follow);
  return {
    owner: (): Owner => owner,
    get: (): State => state,
    /** Answers the state as it is then. */
    change(as: Owner, edit: (state: State) => State): State {
      if (as === null || as !== owner) return state;
      const next = edit(state);
      if (next === state) return state;
      state = next;
      tell();
      return state;
    },
    subscribe,
  };
}
