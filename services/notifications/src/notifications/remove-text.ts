import { anyOf, type Store } from '../store/store.ts';

/** Removes the text of a message that was edited or deleted from the notifications and queued emails that quote it. */
export async function removeText({ notifications, emails, mailings }: Store, messageId: string): Promise<void> {
  // Not only those with a text, so that a redelivery finds the emails as well.
  const quoting = await notifications.find({ messageId }, { subjectId: 1 }).lean();
  if (quoting.length === 0) return;
  await notifications.updateMany({ messageId, text: { $exists: true } }, { $unset: { text: 1 } });
  const subjectIds = [...new Set(quoting.map(({ subjectId }) => subjectId))];
  const queued = await emails
    .find({ about: anyOf(subjectIds), kind: 'notice', state: 'queued' }, { mailingId: 1 })
    .lean();
  const ids = new Set(quoting.map(({ _id }) => _id));
  const mailingIds = queued.map(({ mailingId }) => mailingId).filter((mailingId) => ids.has(toGroup(mailingId)));
  if (mailingIds.length > 0) await mailings.updateMany({ _id: anyOf(mailingIds) }, { $unset: { 'content.text': 1 } });
}

/** Of an email about one notification, its id. */
const toGroup = (mailingId: string) => mailingId.slice(mailingId.indexOf(':') + 1);
