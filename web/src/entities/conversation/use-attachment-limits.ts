import type { getAttachmentLimits } from '@atrium/proto-events/http/chat/attachments';
import { useRead } from '#lib/query/use-read.ts';

export function useAttachmentLimits(isEnabled: boolean) {
  return useRead<typeof getAttachmentLimits>('GET /chat/attachments/limits', isEnabled ? {} : null).data;
}
