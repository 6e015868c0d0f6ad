import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';

/** Visible conversations whose log follows its end, so that a new message is visible as it arrives. */
const followed = createUserScopedStore(() => new Set<string>());

export const isEndFollowed = (conversation: string): boolean => followed.get().has(conversation);

/** Until the returned function is called. */
export function followEnd(conversation: string): () => void {
  const present = followed.get();
  present.add(conversation);
  return () => {
    present.delete(conversation);
  };
}
