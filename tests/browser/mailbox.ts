import { waitFor } from '@atrium/test-kit/wait-for';

/** A mail as the local mailbox shows it. */
export type Mail = {
  id: string;
  subject: string;
  text: string;
  html: string;
  attachments: { mimeType: string; content: string }[];
};

/** Waits for a mail to somebody whose subject fits, and reads it whole. */
export async function mailTo(mailboxUrl: string, address: string, subject: RegExp): Promise<Mail> {
  return waitFor(
    async () => {
      const list = (await (
        await fetch(`${mailboxUrl}/api/messages?to=${encodeURIComponent(address)}`)
      ).json()) as Mail[];
      const found = list.find((mail) => subject.test(mail.subject));
      return found && ((await (await fetch(`${mailboxUrl}/api/messages/${found.id}`)).json()) as Mail);
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
