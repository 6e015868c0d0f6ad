import type { getMessage } from '@atrium/proto-events/http/chat-messages';
import { useRead } from '#lib/query/use-read.ts';

export const useMessage = (id: string | null) =>
  useRead<typeof getMessage>('GET /chat/messages/:id', id === null ? null : { params: { id } }, {
    keepPreviousData: false,
  });
