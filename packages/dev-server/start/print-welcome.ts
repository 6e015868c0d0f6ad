import { painter } from '../console/colors.ts';
import type { LogStream } from '../console/log-stream.ts';

interface Greeting {
  url: string;
  apiUrl: string;
  mailboxUrl: string | undefined;
  /** Further lines. */
  hints: string[];
  tookMs: number;
}

const isEmpty = async (apiUrl: string): Promise<boolean> => {
  const response = await fetch(`${apiUrl}/api/auth/setup`, { signal: AbortSignal.timeout(5_000) }).catch(
    () => undefined,
  );
  const body: unknown = response?.ok ? await response.json() : undefined;
  return typeof body === 'object' && body !== null && 'setupRequired' in body && body.setupRequired === true;
};

/** Says where everything is and what to do first. */
export const greet = async (
  { url, apiUrl, mailboxUrl, hints, tookMs }: Greeting,
  { tell }: LogStream,
): Promise<void> => {
  const paint = painter(process.stdout);
  const first = (await isEmpty(apiUrl)) ? `Open ${url} to set up the first administrator.` : `Open ${url} and sign in.`;
  const lines = [
    `Atrium is running (ready after ${(tookMs / 1000).toFixed(1)} s).`,
    '',
    `  Atrium    ${paint('bold', url)}`,
    ...(mailboxUrl ? [`  Mailbox   ${mailboxUrl}`] : []),
    ...hints.map((hint) => `  ${hint}`),
    '',
    `  ${first}`,
    '  Ctrl-C ends everything; the data stays.',
  ];
  tell(`\n${lines.join('\n')}\n`);
};
