import { z } from 'zod';
import type { EmailRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { type EmailContent, isCancellation, type MeetingContent, meetingContent } from './templates/email-content.ts';

const meetingChange = meetingContent
  .pick({ type: true, changed: true, rsvpReset: true, ended: true })
  .extend({ until: z.string().nullable() });

/**
 * Merges the email into a later one that covers the same part of the topic; returns false if there is none. An unsent
 * invitation stays an invitation.
 */
export async function mergeIntoLaterEmail(
  { emails }: Store,
  email: EmailRecord,
  content?: EmailContent,
): Promise<boolean> {
  const { topic, part, occurredAt, recipientId } = email;
  if (topic === undefined || part === undefined || occurredAt === undefined) return false;
  const laterFilter = { topic, part, recipientId, occurredAt: { $gt: occurredAt }, state: { $ne: 'failed' as const } };
  const laterEmail = await emails.findOne(laterFilter, { _id: 1 }).sort({ occurredAt: 1 }).lean();
  if (!laterEmail) return false;
  if (content?.template === 'meeting') {
    const { type, changed, rsvpReset, ended, meeting } = mergeSupersededChanges(content, email.replaced);
    const mergedChange = { type, changed, rsvpReset, until: meeting.until, ...(ended && { ended }) };
    await emails.updateOne({ _id: laterEmail._id, state: 'queued' }, { $set: { replaced: mergedChange } });
  }
  return true;
}

/** Adds the changes of superseded emails, as stored with the email, to its content. */
export function mergeSupersededChanges(content: MeetingContent, storedChange: unknown): MeetingContent {
  const { data: replaced } = meetingChange.safeParse(storedChange);
  if (!replaced || isCancellation(content.type) || isCancellation(replaced.type)) return content;
  // The series may now end on a different day.
  const ended = content.ended ?? (replaced.until === content.meeting.until ? replaced.ended : undefined);
  return {
    ...content,
    type: replaced.type === 'invited' ? 'invited' : content.type,
    changed: [...new Set([...replaced.changed, ...content.changed])],
    rsvpReset: content.rsvpReset || replaced.rsvpReset,
    ...(ended && { ended }),
  };
}
