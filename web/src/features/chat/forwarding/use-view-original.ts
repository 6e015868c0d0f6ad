import type { getMessage, Message } from '@atrium/proto-events/http/chat/messages';
import { useNavigate } from 'react-router-dom';
import { messagePath } from '#entities/message/message-path.ts';
import { call } from '#lib/api/api.ts';
import { ApiError } from '#lib/api/api-error.ts';
import { showError } from '#ui/overlays/toast.ts';
import { useAction } from '#ui/overlays/use-action.ts';

const get = (id: string) => call<typeof getMessage>('GET /chat/messages/:id', { params: { id } });

/** Opens the original of a forwarded message. Undefined for users without access to it. */
export function useViewOriginal(id: string, { message: originalId }: NonNullable<Message['forwarded']>) {
  const navigate = useNavigate();
  const action = useAction(async () => {
    const original = await findOriginal(id, originalId);
    if (!original)
      return void showError('The original is not available', 'It was deleted, or you have no access to it.');
    const { conversation, seq, thread } = original;
    await navigate(messagePath({ conversation, seq, root: thread?.root }));
  }, 'Failed to open the original');
  return originalId === null ? undefined : action;
}

/** A broadcast does not say whether the user has access to it. */
async function findOriginal(id: string, originalId: string | null | undefined): Promise<Message | null> {
  try {
    const known = originalId === undefined ? (await get(id)).forwarded?.message : originalId;
    const original = known ? await get(known) : null;
    return original?.deleted ? null : original;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
