import type { Attachment } from '@atrium/proto-events/http/chat-attachments';
import { isolate } from '@atrium/proto-events/text/isolate';

type Named = Pick<Attachment, 'name' | 'mimetype'>;

/** What of its files a line says: 'Photo', '3 photos', 'File: plan.pdf', '3 files'; empty where there are none. */
export function attachmentsLine(attachments: readonly Named[] = []): string {
  const [first] = attachments;
  if (!first) return '';
  const areImages = attachments.every(({ mimetype }) => mimetype.startsWith('image/'));
  if (attachments.length > 1) return `${attachments.length} ${areImages ? 'photos' : 'files'}`;
  return areImages ? 'Photo' : `File: ${isolate(first.name)}`;
}
