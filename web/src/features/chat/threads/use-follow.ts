import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { followThread, unfollowThread } from '@atrium/proto-events/http/chat/threads';
import { call } from '#lib/api/api.ts';
import { createOwnerCheck } from '#lib/session/session.ts';
import { unread, useIsFollowed } from '#realtime/unread.ts';
import { useAction } from '#ui/overlays/use-action.ts';

/** Follows or stops following a thread. */
export function useFollow({ _id, conversation, thread }: Message) {
  const isFollowed = useIsFollowed(_id);
  const { run, isBusy } = useAction(
    async () => {
      const isSameOwner = createOwnerCheck();
      const input = { params: { id: _id } };
      const state = isFollowed
        ? await call<typeof unfollowThread>('DELETE /chat/messages/:id/follow', input)
        : await call<typeof followThread>('PUT /chat/messages/:id/follow', input);
      if (!isSameOwner()) return;
      const lastSeq = thread?.lastSeq ?? 0;
      unread.recordThreadState({ conversation, root: _id, lastSeq, lastReadSeq: lastSeq, ...state });
    },
    isFollowed ? 'Failed to unfollow the thread' : 'Failed to follow the thread',
  );
  return { isFollowed, toggle: () => void run(), isBusy };
}
