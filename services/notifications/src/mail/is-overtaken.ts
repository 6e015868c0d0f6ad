import { accountActivated, invitationCreated, invitationRevoked } from '@atrium/proto-events/events/auth';
import type { MailRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { causeOf } from './queue-mails.ts';

const CONCERNING = [invitationCreated.type, invitationRevoked.type, accountActivated.type];

/**
 * Whether the link of an invitation's mail leads nowhere by now: it was sent again, taken back or accepted. Asked of the record of what
 * happened, which has an event before anything follows from it; so it holds for every pod and whenever, and how often, an event comes.
 */
export async function isOvertaken({ activities }: Store, mail: MailRecord): Promise<boolean> {
  if (mail.kind !== 'invitation') return false;
  const invited = await activities.findById(causeOf(mail.mailingId)).lean();
  if (!invited) return false;
  const known = await activities.find({ subjectId: invited.subjectId, type: { $in: CONCERNING } }).lean();
  // Taken back or accepted it never comes again, whatever the clocks say.
  return known.some(({ type, at }) => type !== invitationCreated.type || at > invited.at);
}
