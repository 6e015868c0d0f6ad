import { waitFor } from '@atrium/test-kit/wait-for';
import { expect } from '@jest/globals';
import { type Client, expectStatus, send } from '../../workspace/workspace.ts';
import { type Attack, measureFastest } from './attack.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const report = (url: string, stack: string) =>
  send(`${url}/api/client-errors`, {
    method: 'POST',
    headers: { ...JSON_TYPE, 'x-forwarded-for': `198.18.0.${Math.ceil(Math.random() * 250)}` },
    body: JSON.stringify({ message: 'x', stack }),
  });

/**
 * Compares the time of a request with that of a harmless text of the same length. On a fast machine, quadratic time is
 * about 250 ms, and linear time a few milliseconds.
 */
const expectSimilarTime = async (attack: () => Promise<unknown>, harmless: () => Promise<unknown>) =>
  expect(await measureFastest(attack)).toBeLessThan(10 * (await measureFastest(harmless)) + 50);

export const slowPath: Attack = {
  name: 'a path with a run of slashes takes about as long as a harmless one',
  run: ({ url }) => {
    const get = (text: string) => () => send(`${url}/api/${text}x`, {});
    return expectSimilarTime(get('/'.repeat(15_000)), get('a'.repeat(15_000)));
  },
};

export const slowReports: readonly Attack[] = ['?', '-', '#a', 'a@', '.a@'].map((unit) => ({
  name: `a client error report that repeats ${unit} takes about as long as a harmless one`,
  run: ({ url }) =>
    expectSimilarTime(
      () => report(url, unit.repeat(10_000 / unit.length)),
      () => report(url, 'a '.repeat(5_000)),
    ),
}));

const UNKNOWN_ID = 'a'.repeat(24);
/** The largest text field of each service that normalizes text. Some requests are for unknown resources. */
const LARGEST_FIELDS: readonly [service: string, max: number, call: (text: string) => [string, string, unknown]][] = [
  ['auth', 1_000, (password) => ['POST', '/auth/login', { email: 'nobody@example.org', password }]],
  ['users', 2_000, (bio) => ['PATCH', '/users/profile', { bio }]],
  ['projects', 5_000, (comment) => ['POST', `/tasks/${UNKNOWN_ID}/comments`, { comment }]],
  ['meetings', 20_000, (text) => ['PUT', `/meetings/${UNKNOWN_ID}/notes`, { text, base: text }]],
  ['documents', 2_000, (description) => ['PATCH', `/documents/${UNKNOWN_ID}`, { description }]],
  ['chat', 10_000, (content) => ['POST', '/chat/messages', { conversation: UNKNOWN_ID, content }]],
];

/**
 * Pairs in descending order of combining class, the worst case of insertion sort. The halfwidth mark is a letter in
 * NFC.
 */
const MARKS = [
  ['\u0345', '\u0334'],
  ['\u0345', '\uff9e'],
] as const;
const repeatMarks = ([first, second]: (typeof MARKS)[number], length: number) =>
  `a${first.repeat(length / 2 - 1)}${second.repeat(length / 2)}`;

export const slowMarks: readonly Attack[] = LARGEST_FIELDS.map(([service, max, call]) => ({
  name: `the longest run of marks in a text for ${service} takes about as long as letters`,
  run: async ({ admin }) => {
    const callWith = (text: string) => () => admin.call(...call(text));
    for (const marks of MARKS) await expectSimilarTime(callWith(repeatMarks(marks, max)), callWith('a'.repeat(max)));
  },
}));

/**
 * Uploads a text, and returns the longest response time of the service until a search finds the text by its last word.
 */
async function measureLongestResponse(url: string, admin: Client, { word, text }: { word: string; text: string }) {
  const form = new FormData();
  form.set('file', new Blob([`${text} ${word}`], { type: 'text/plain' }), 'marks.txt');
  const headers = { authorization: `Bearer ${admin.token}` };
  await expectStatus(send(`${url}/api/documents/upload`, { method: 'POST', headers, body: form }), 201);
  let longestMs = 0;
  const isFound = async () => {
    const start = performance.now();
    const { body } = await admin.call<{ total: number }>('GET', `/documents?search=${word}`);
    longestMs = Math.max(longestMs, performance.now() - start);
    return body.total === 1;
  };
  await waitFor(isFound, { description: `a document to be found by ${word}` });
  return longestMs;
}

export const slowDocument: Attack = {
  name: 'the documents service stays responsive while it indexes a text of combining marks',
  run: async ({ url, admin }) => {
    const harmlessMs = await measureLongestResponse(url, admin, { word: 'harmless', text: 'a'.repeat(50_000) });
    for (const [index, marks] of MARKS.entries()) {
      const text = repeatMarks(marks, 50_000);
      expect(await measureLongestResponse(url, admin, { word: `marked${index}`, text })).toBeLessThan(
        10 * harmlessMs + 200,
      );
    }
  },
};
