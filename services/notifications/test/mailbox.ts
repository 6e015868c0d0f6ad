import { testMailbox } from '@atrium/test-kit/backing-servers';
import { waitFor } from '@atrium/test-kit/wait-for';
import PostalMime from 'postal-mime';

export type ReceivedMail = {
  id: string;
  from: string;
  subject: string;
  text: string;
  html: string | null;
  calendar: { method: string | null; content: string } | null;
  attachments: { name: string; type: string }[];
};

/** Lists the emails to an address, oldest first. */
export async function emailsTo(address: string): Promise<ReceivedMail[]> {
  const { webUrl } = await testMailbox();
  const fetchJson = async <T>(path: string) => (await (await fetch(`${webUrl}/api/messages${path}`)).json()) as T;
  const { data } = await fetchJson<{ data: { id: string }[] }>(`?to=${encodeURIComponent(address)}`);
  const emails = await Promise.all(data.map(({ id }) => fetchJson<ReceivedMail>(`/${id}`)));
  return emails.toReversed();
}

export async function waitForEmail(address: string, count = 1): Promise<ReceivedMail> {
  return waitFor(async () => (await emailsTo(address))[count - 1], { description: `mail ${count} to ${address}` });
}

export async function parseEmail({ id }: ReceivedMail) {
  const { webUrl } = await testMailbox();
  const source = await (await fetch(`${webUrl}/messages/${id}/source`)).text();
  return { source, parsed: await PostalMime.parse(source) };
}
