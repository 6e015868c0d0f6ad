import type { Email } from '../../../browser/mailbox.ts';
import { ACTORS, type ActorName, type Actors } from './actors.ts';
import type { Received } from './call-endpoints.ts';

type ListedEmail = { id: string; recipients: string[] };

/** Reads every email in the mailbox, with its calendar. */
export async function readEmails(mailboxUrl: string, actors: Actors): Promise<Received[]> {
  const fetchJson = async <T>(path: string) => (await (await fetch(`${mailboxUrl}/api/messages${path}`)).json()) as T;
  const { data } = await fetchJson<{ data: ListedEmail[] }>('');
  const received = data.map(async ({ id, recipients }) => {
    const { calendar, ...email } = await fetchJson<Email>(`/${id}`);
    return recipients.flatMap((address): Received[] => {
      const who = findRecipient(address, actors);
      const from = `the email "${email.subject}" to ${address}`;
      // Lines are folded at 75 bytes (RFC 5545, 3.1).
      const unfoldedCalendar = calendar?.content.replaceAll(/\r?\n[ \t]/g, '') ?? '';
      return [
        { who, channel: 'email', from, text: JSON.stringify(email) },
        { who, channel: 'calendar', from, text: unfoldedCalendar },
      ];
    });
  });
  return (await Promise.all(received)).flat();
}

export async function emptyMailbox(mailboxUrl: string): Promise<void> {
  await fetch(`${mailboxUrl}/api/messages`, { method: 'DELETE' });
}

/** Returns `anonymous` for an unknown address, so that its emails count as exposures. */
const findRecipient = (address: string, actors: Actors): ActorName =>
  ACTORS.find(
    (who) => (who === 'invited' ? 'invited@example.org' : who !== 'anonymous' && actors[who].email) === address,
  ) ?? 'anonymous';
