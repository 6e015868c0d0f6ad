import type { Mail } from '../../../browser/mailbox.ts';
import { ACTORS, type Cast, type Who } from './actors.ts';
import type { Received } from './ask.ts';

type Listed = { id: string; recipients: string[] };

/** Every mail of the mailbox whole, its calendar apart, by whom it went to; to nobody of the actors is to anybody. */
export async function readMails(mailboxUrl: string, actors: Cast): Promise<Received[]> {
  const ask = async <T>(path: string) => (await (await fetch(`${mailboxUrl}/api/messages${path}`)).json()) as T;
  const { data } = await ask<{ data: Listed[] }>('');
  const received = data.map(async ({ id, recipients }) => {
    const { calendar, ...mail } = await ask<Mail>(`/${id}`);
    return recipients.flatMap((address): Received[] => {
      const who = whoHas(address, actors);
      const from = `the mail "${mail.subject}" to ${address}`;
      // Its lines are folded at 75 bytes, wherever that is (RFC 5545, 3.1).
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

const whoHas = (address: string, actors: Cast): Who =>
  ACTORS.find(
    (who) => (who === 'invited' ? 'invited@example.org' : who !== 'anonymous' && actors[who].email) === address,
  ) ?? 'anonymous';
