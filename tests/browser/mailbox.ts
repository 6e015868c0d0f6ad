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

/** Waits for an email with a matching subject and this text, and loads it completely. */
export async function waitForEmail(mailboxUrl: string, address: string, subject: RegExp, text = ''): Promise<Email> {
  const getJson = async <T>(path: string) => (await (await fetch(`${mailboxUrl}/api/messages${path}`)).json()) as T;
  return waitFor(
    async () => {
      const { data } = await getJson<{ data: Email[] }>(`?to=${encodeURIComponent(address)}`);
      for (const { id } of data.filter((candidate) => subject.test(candidate.subject))) {
        const email = await getJson<Email>(`/${id}`);
        if (email.text.includes(text)) return email;
      }
      return undefined;
    },
    { description: `an email to ${address} about ${subject} ${text}` },
  );
}

/** Returns the first link in an email to a path. */
export function findLink(email: Email, path: string): string {
  const link = email.text.match(/https?:\/\/\S+/g)?.find((url) => new URL(url).pathname === path);
  if (!link) throw new Error(`Email "${email.subject}" has no link to ${path}: ${email.text}`);
  return link;
}
