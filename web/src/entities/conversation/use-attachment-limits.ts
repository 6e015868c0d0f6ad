import type { getAttachmentLimits } from '@atrium/proto-events/http/chat-attachments';
import { useRead } from '../../lib/query/use-read.ts';

/** How large files may be and how much room there is, asked for once some are chosen. */
export function useAttachmentLimits(isWanted: boolean) {
  return useRead<typeof getAttachmentLimits>('GET /chat/attachments/limits', isWanted ? {} : null).data;
}
