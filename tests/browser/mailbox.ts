import { waitFor } from '@atrium/test-kit/wait-for';

/** An email as the local mailbox returns it. */
export type Email = {
  id: string;
  subject: string;
  text: string;
  html: string | null;
  /** The iCalendar part, if any, and its method. */
  calendar: { method: string | null; content: string } | null;
};

/** Waits for an email with a matching subject and loads it completely. */
export async function waitForEmail(mailboxUrl: string, address: string, subject: RegExp): Promise<Email> {
  const ask = async <T>(path: string) => (await (await fetch(`${mailboxUrl}/api/messages${path}`)).json()) as T;
  return waitFor(
    async () => {
      const { data } = await ask<{ data: Email[] }>(`?to=${encodeURIComponent(address)}`);
      const found = data.find((mail) => subject.test(mail.subject));
      return found && ask<Email>(`/${found.id}`);
    },
    { description: `an email to ${address} about ${subject}` },
  );
}

/** The first link in an email to that path. */
export function findLink(mail: Email, path: string): string {
  const link = mail.text.match(/https?:\/\/\S+/g)?.find((url) => new URL(url).pathname === path);
  if (!link) throw new Error(`Email "${mail.subject}" has no link to ${path}: ${mail.text}`);
  return link;
}
