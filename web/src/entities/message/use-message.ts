import type { getMessage, listMessages, Message } from '@atrium/proto-events/http/chat/messages';
import type { listReplies } from '@atrium/proto-events/http/chat/threads';
import type { ApiError } from '#lib/api/api-error.ts';
import { useRead } from '#lib/query/use-read.ts';
import type { MessageLocation } from './message-path.ts';

const OPTIONS = { keepPreviousData: false };

export const useMessage = (id: string | null) =>
  useRead<typeof getMessage>('GET /chat/messages/:id', id === null ? null : { params: { id } }, OPTIONS);

type FoundMessage = { message: Message | undefined; error: ApiError | undefined; isLoading: boolean };

/** Reads a message by its place, and keeps it up to date. */
export function useMessageAt({ conversation, root = null, seq }: MessageLocation): FoundMessage {
  const range = { after: seq - 1, before: seq + 1, limit: 1 };
  const sent = useRead<typeof listMessages>(
    'GET /chat/messages',
    root === null ? { query: { conversation, ...range } } : null,
    OPTIONS,
  );
  const replies = useRead<typeof listReplies>(
    'GET /chat/messages/:id/thread',
    root === null ? null : { params: { id: root }, query: range },
    OPTIONS,
  );
  const found = root === null ? sent : replies;
  const first = found.data?.data[0];
  const current = useMessage(first?._id ?? null);
  const error = found.error ?? current.error;
  return {
    message: error ? undefined : (current.data ?? first),
    error,
    isLoading: found.data === undefined && error === undefined,
  };
}
