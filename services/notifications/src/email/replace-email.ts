import { z } from 'zod';
import type { EmailRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { type EmailContent, isCancellation, type MeetingContent, meetingContent } from './templates/email-content.ts';

const meetingChange = meetingContent
  .pick({ type: true, changed: true, rsvpReset: true, ended: true })
  .extend({ until: z.string().nullable() });

/** Whether a later email covers the same part of the topic. Changes are merged into it: an unsent invitation stays an invitation. */
export async function isReplaced({ emails }: Store, email: EmailRecord, content?: EmailContent): Promise<boolean> {
  const { topic, part, occurredAt, recipientId } = email;
  if (topic === undefined || part === undefined || occurredAt === undefined) return false;
  const later = { topic, part, recipientId, occurredAt: { $gt: occurredAt }, state: { $ne: 'failed' as const } };
  const next = await emails.findOne(later, { _id: 1 }).sort({ occurredAt: 1 }).lean();
  if (!next) return false;
  if (content?.template === 'meeting') {
    const { type, changed, rsvpReset, ended, meeting } = withReplaced(content, email.replaced);
    const replaced = { type, changed, rsvpReset, until: meeting.until, ...(ended && { ended }) };
    await emails.updateOne({ _id: next._id, state: 'queued' }, { $set: { replaced } });
  }
  return true;
}

export function withReplaced(content: MeetingContent, stored: unknown): MeetingContent {
  const { data: replaced } = meetingChange.safeParse(stored);
  if (!replaced || isCancellation(content.type) || isCancellation(replaced.type)) return content;
  // The series may end on another day by now.
  const ended = content.ended ?? (replaced.until === content.meeting.until ? replaced.ended : undefined);
  return {
    ...content,
    type: replaced.type === 'invited' ? 'invited' : content.type,
    changed: [...new Set([...replaced.changed, ...content.changed])],
    rsvpReset: content.rsvpReset || replaced.rsvpReset,
    ...(ended && { ended }),
  };
}
