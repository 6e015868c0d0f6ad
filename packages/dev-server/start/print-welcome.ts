import { painter } from '../console/colors.ts';
import type { LogStream } from '../console/log-stream.ts';

interface WelcomeOptions {
  url: string;
  apiUrl: string;
  mailboxUrl: string | undefined;
  /** Additional lines. */
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

/** Prints the addresses and the first step. */
export const printWelcome = async (
  { url, apiUrl, mailboxUrl, hints, tookMs }: WelcomeOptions,
  { print }: LogStream,
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
    '  Ctrl-C stops everything; the data is kept.',
  ];
  print(`\n${lines.join('\n')}\n`);
};
