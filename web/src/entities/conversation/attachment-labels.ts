import type { Attachment } from '@atrium/proto-events/http/chat-attachments';
import { isolate } from '@atrium/proto-events/text/isolate';

type Named = Pick<Attachment, 'name' | 'mimetype'>;

/** 'Photo', '3 photos', 'File: plan.pdf', or '3 files'; empty without attachments. */
export function attachmentsLine(attachments: readonly Named[] = []): string {
  const [first] = attachments;
  if (!first) return '';
  const areImages = attachments.every(({ mimetype }) => mimetype.startsWith('image/'));
  if (attachments.length > 1) return `${attachments.length} ${areImages ? 'photos' : 'files'}`;
  return areImages ? 'Photo' : `File: ${isolate(first.name)}`;
}
