import type { Email } from '../../../browser/mailbox.ts';
import { ACTORS, type Actors, type ActorName } from './actors.ts';
import type { Received } from './call-endpoints.ts';

type Listed = { id: string; recipients: string[] };

/** Every email in the mailbox with its calendar part, by recipient. Throws for an unknown recipient. */
export async function readEmails(mailboxUrl: string, actors: Actors): Promise<Received[]> {
  const ask = async <T>(path: string) => (await (await fetch(`${mailboxUrl}/api/messages${path}`)).json()) as T;
  const { data } = await ask<{ data: Listed[] }>('');
  const received = data.map(async ({ id, recipients }) => {
    const { calendar, ...mail } = await ask<Email>(`/${id}`);
    return recipients.flatMap((address): Received[] => {
      const who = findRecipient(address, actors);
      const from = `the email "${mail.subject}" to ${address}`;
      // Lines are folded at 75 bytes (RFC 5545, 3.1).
      const dates = calendar?.content.replaceAll(/\r?\n[ \t]/g, '') ?? '';
      return [
        { who, channel: 'mail', from, text: JSON.stringify(mail) },
        { who, channel: 'calendar', from, text: dates },
      ];
    });
  });
  return (await Promise.all(received)).flat();
}

export async function emptyMailbox(mailboxUrl: string): Promise<void> {
  await fetch(`${mailboxUrl}/api/messages`, { method: 'DELETE' });
}

const findRecipient = (address: string, actors: Actors): ActorName =>
  ACTORS.find(
    (who) => (who === 'invited' ? 'invited@example.org' : who !== 'anonymous' && actors[who].email) === address,
  ) ?? 'anonymous';
