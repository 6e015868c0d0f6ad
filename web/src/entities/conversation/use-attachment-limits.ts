import type { getAttachmentLimits } from '@atrium/proto-events/http/chat-attachments';
import { useRead } from '#lib/query/use-read.ts';

/** File size limit and remaining storage, fetched once files are selected. */
export function useAttachmentLimits(isEnabled: boolean) {
  return useRead<typeof getAttachmentLimits>('GET /chat/attachments/limits', isEnabled ? {} : null).data;
}
