import { waitFor } from '@atrium/test-kit/wait-for';
import { expect } from '@jest/globals';
import { type Client, expectStatus, send } from '../../workspace/workspace.ts';
import { type Attack, fastest } from './attack.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const report = (url: string, stack: string) =>
  send(`${url}/api/client-errors`, {
    method: 'POST',
    headers: { ...JSON_TYPE, 'x-forwarded-for': `198.18.0.${Math.ceil(Math.random() * 250)}` },
    body: JSON.stringify({ message: 'x', stack }),
  });

/** Quadratic time would be about 250 ms for each of these on a fast machine; a harmless text of the same length takes a few. */
const expectAlike = async (attack: () => Promise<unknown>, harmless: () => Promise<unknown>) =>
  expect(await fastest(attack)).toBeLessThan(10 * (await fastest(harmless)) + 50);

export const slowPath: Attack = {
  name: 'a path with a run of slashes takes no longer than any other',
  run: ({ url }) => {
    const get = (text: string) => () => send(`${url}/api/${text}x`, {});
    return expectAlike(get('/'.repeat(15_000)), get('a'.repeat(15_000)));
  },
};

export const slowReports: readonly Attack[] = ['?', '-', '#a', 'a@', '.a@'].map((unit) => ({
  name: `a report of an error that repeats ${unit} takes no longer than any other`,
  run: ({ url }) =>
    expectAlike(
      () => report(url, unit.repeat(10_000 / unit.length)),
      () => report(url, 'a '.repeat(5_000)),
    ),
}));

const NOBODY = 'a'.repeat(24);
/** The largest text field of each service that normalizes text. Some requests are for unknown resources. */
const LARGEST_FIELDS: readonly [service: string, max: number, call: (text: string) => [string, string, unknown]][] = [
  ['auth', 1_000, (password) => ['POST', '/auth/login', { email: 'nobody@example.org', password }]],
  ['users', 2_000, (bio) => ['PATCH', '/users/profile', { bio }]],
  ['projects', 5_000, (comment) => ['POST', `/tasks/${NOBODY}/comments`, { comment }]],
  ['meetings', 20_000, (text) => ['PUT', `/meetings/${NOBODY}/notes`, { text, base: text }]],
  ['documents', 2_000, (description) => ['PATCH', `/documents/${NOBODY}`, { description }]],
  ['chat', 10_000, (content) => ['POST', '/chat/messages', { conversation: NOBODY, content }]],
];

/** In descending order of combining class, the worst case of insertion sort. The halfwidth mark is a letter in NFC. */
const MARKS = [
  ['\u0345', '\u0334'],
  ['\u0345', '\uff9e'],
] as const;
const marksOf = ([first, second]: (typeof MARKS)[number], length: number) =>
  `a${first.repeat(length / 2 - 1)}${second.repeat(length / 2)}`;

export const slowMarks: readonly Attack[] = LARGEST_FIELDS.map(([service, max, call]) => ({
  name: `the longest run of marks in a text for ${service} takes no longer than letters`,
  run: async ({ admin }) => {
    const ask = (text: string) => () => admin.call(...call(text));
    for (const marks of MARKS) await expectAlike(ask(marksOf(marks, max)), ask('a'.repeat(max)));
  },
}));

/** Uploads a text, and returns the longest response time of the service until the text is found by its last word. */
async function longestWait(url: string, admin: Client, { word, text }: { word: string; text: string }) {
  const form = new FormData();
  form.set('file', new Blob([`${text} ${word}`], { type: 'text/plain' }), 'marks.txt');
  const headers = { authorization: `Bearer ${admin.token}` };
  await expectStatus(send(`${url}/api/documents/upload`, { method: 'POST', headers, body: form }), 201);
  let longest = 0;
  const ask = async () => {
    const start = performance.now();
    const { body } = await admin.call<{ total: number }>('GET', `/documents?search=${word}`);
    longest = Math.max(longest, performance.now() - start);
    return body.total === 1;
  };
  await waitFor(ask, { description: `a document to be found by ${word}` });
  return longest;
}

export const slowDocument: Attack = {
  name: 'documents stays responsive while it indexes a text of combining marks',
  run: async ({ url, admin }) => {
    const harmless = await longestWait(url, admin, { word: 'harmless', text: 'a'.repeat(50_000) });
    for (const [index, marks] of MARKS.entries()) {
      const text = marksOf(marks, 50_000);
      expect(await longestWait(url, admin, { word: `marked${index}`, text })).toBeLessThan(10 * harmless + 200);
    }
  },
};
