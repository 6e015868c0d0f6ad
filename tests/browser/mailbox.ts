import { waitFor } from '@atrium/test-kit/wait-for';

/** A mail as the local mailbox shows it. */
export type Mail = {
  id: string;
  subject: string;
  text: string;
  html: string | null;
  /** The iCalendar part, if there is one, and what it asks for. */
  calendar: { method: string | null; content: string } | null;
};

/** Waits for a mail to somebody whose subject fits, and reads it whole. */
export async function mailTo(mailboxUrl: string, address: string, subject: RegExp): Promise<Mail> {
  const ask = async <T>(path: string) => (await (await fetch(`${mailboxUrl}/api/messages${path}`)).json()) as T;
  return waitFor(
    async () => {
      const { data } = await ask<{ data: Mail[] }>(`?to=${encodeURIComponent(address)}`);
      const found = data.find((mail) => subject.test(mail.subject));
      return found && ask<Mail>(`/${found.id}`);
    },
    { what: `a mail to ${address} about ${subject}` },
  );
}

/** The first link in a mail that leads to that path. */
export function linkIn(mail: Mail, path: string): string {
  const link = mail.text.match(/https?:\/\/\S+/g)?.find((url) => new URL(url).pathname === path);
  if (!link) throw new Error(`the mail "${mail.subject}" has no link to ${path}: ${mail.text}`);
  return link;
}
