import '../../../../test/browser-gaps.ts';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { aPerson } from '../../../../test/a-person.ts';
import { startApi } from '../../../../test/api-server.ts';
import { signInAs } from '../../../../test/sign-in-as.ts';
import { linkKeeper, linkOf, newLinkOf } from './links.ts';

const ID = 'f'.repeat(24);
const MINUTE = 60_000;
let stop: () => Promise<void> = async () => undefined;
let asked: string[] = [];

const file = (downloadUrl?: string) => ({
  _id: ID,
  name: 'a.png',
  size: 1,
  mimetype: 'image/png',
  ...(downloadUrl && { downloadUrl }),
});

beforeEach(async () => {
  asked = [];
  signInAs(aPerson('b'));
  signInAs(aPerson('a'));
  ({ stop } = await startApi(({ path }) => {
    asked.push(path);
    return { status: 200, body: file(`/asked-${asked.length}`) };
  }));
});

afterEach(async () => {
  jest.restoreAllMocks();
  await stop();
});

describe('a link to a file', () => {
  it('is the one that came with the message for as long as that is good, then another', async () => {
    linkKeeper()([{ attachments: [file('/with-message')] }, {}]);
    expect(await linkOf(ID)).toBe('/with-message');
    const now = Date.now();
    jest.spyOn(Date, 'now').mockReturnValue(now + 4 * MINUTE);
    expect(await linkOf(ID)).toBe('/asked-1');
    expect(await linkOf(ID)).toBe('/asked-1');
    expect(asked).toEqual([`/api/chat/attachments/${ID}`]);
  });

  it('is asked for where what came to all had none, and anew where somebody downloads', async () => {
    linkKeeper()([{ attachments: [file()] }]);
    expect(await linkOf(ID)).toBe('/asked-1');
    expect(await newLinkOf(ID)).toBe('/asked-2');
  });

  it('is nobody else’s, though its answer comes when somebody else is here', async () => {
    const keep = linkKeeper();
    signInAs(aPerson('b'));
    keep([{ attachments: [file('/of-a')] }]);
    expect(await linkOf(ID)).toBe('/asked-1');
  });
});
