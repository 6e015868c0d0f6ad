import { emailContent } from '@atrium/notifications/email/templates/email-content';
import { describe, expect, it } from '@jest/globals';
import { listRoutes } from '../browser/screens/screens.ts';
import { composeSample, PUBLIC_URL, SAMPLE_EMAILS, type SampleEmail } from './sample-emails.ts';
import { read } from './sources.ts';

/** Emails without a link. */
const EMAILS_WITHOUT_LINK = ['reset-link-created'];

const toPattern = (route: string) => new RegExp(`^${route.replace(/:\w+/g, '[^/]+')}$`);
const routes = listRoutes(read('web/src/app/router.tsx'))
  .filter((route) => route !== '*')
  .map(toPattern);

/** Lists the paths of Atrium that an email links to, except the start page. */
async function listLinkedPaths(sample: SampleEmail): Promise<string[]> {
  const { html } = await composeSample(sample);
  return [...String(html).matchAll(/href="([^"]+)"/g)]
    .map(([, link = '']) => new URL(link))
    .filter(({ href, origin }) => origin === PUBLIC_URL && href !== `${PUBLIC_URL}/`)
    .map(({ pathname }) => pathname);
}

describe('links in emails', () => {
  it('are tested for every template', () => {
    const templates = emailContent.options.map(({ shape }) => shape.template.value);
    const sampleTemplates = Object.values(SAMPLE_EMAILS).map(({ content }) => content.template);
    expect([...new Set(sampleTemplates)].sort()).toEqual([...templates].sort());
  });

  it.each(Object.entries(SAMPLE_EMAILS))('lead to routes of the app: %s', async (name, sample) => {
    const paths = await listLinkedPaths(sample);
    expect(paths.length > 0).toBe(!EMAILS_WITHOUT_LINK.includes(name));
    expect(paths.filter((path) => !routes.some((route) => route.test(path)))).toEqual([]);
  });
});

describe('an email', () => {
  const getHeaders = async (sample: SampleEmail) => ({ ...(await composeSample(sample)).headers }) as object;

  it.each(Object.entries(SAMPLE_EMAILS))(
    'can be turned off in one click unless it is mandatory: %s',
    async (_name, sample) => {
      const canBeTurnedOff = !['invitation', 'reset', 'security', 'reply'].includes(sample.kind ?? '');
      const headers = await getHeaders(sample);
      expect('List-Unsubscribe' in headers).toBe(canBeTurnedOff);
      expect('List-Unsubscribe-Post' in headers).toBe(canBeTurnedOff);
      const { text } = await composeSample(sample);
      expect(String(text).includes('Unsubscribe')).toBe(canBeTurnedOff);
    },
  );

  it.each(Object.entries(SAMPLE_EMAILS))(
    'can be replied to, or says that replies are not read: %s',
    async (_name, sample) => {
      const organizer = sample.content.template.startsWith('meeting') ? 'organizer@example.org' : null;
      for (const replyTo of new Set([null, organizer]))
        for (const hasMailbox of [true, false]) {
          const email = await composeSample(sample, { replyTo, hasMailbox });
          const isPosted = sample.replyTarget !== undefined && hasMailbox;
          const says = (sentence: string) =>
            [String(email.text), String(email.html)].map((body) => body.includes(sentence));
          expect(email.replyTo ?? null).toEqual(isPosted ? expect.stringMatching(/^replies\+/) : replyTo);
          expect(says('Reply to this email to')).toEqual([isPosted, isPosted]);
          const isUnread = !isPosted && replyTo === null;
          expect(says('Replies to this email are not read.')).toEqual([isUnread, isUnread]);
        }
    },
  );
});
