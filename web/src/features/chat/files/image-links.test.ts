import '../../../../test/browser-gaps.ts';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { startApi } from '../../../../test/api-server.ts';
import { buildUser } from '../../../../test/build-user.ts';
import { signInAs } from '../../../../test/sign-in-as.ts';
import { askForPicture, knownPicture, pictureKeeper } from './image-links.ts';

const ID = 'f'.repeat(24);
const MINUTE = 60_000;
let stop: () => Promise<void> = async () => undefined;
let asked: string[] = [];
let answer: object = {};

const file = (more: object = {}) => ({ _id: ID, name: 'a.png', size: 1, mimetype: 'image/png', ...more });
const picture = (url: string) => ({ thumbnail: { url, width: 2, height: 1 } });

beforeEach(async () => {
  asked = [];
  signInAs(buildUser('b'));
  signInAs(buildUser('a'));
  ({ stop } = await startApi(({ path }) => {
    asked.push(path);
    return { status: 200, body: file(answer) };
  }));
});

afterEach(async () => {
  jest.restoreAllMocks();
  await stop();
});

describe('image links', () => {
  it('reuses the link that came with the message while it is valid', async () => {
    pictureKeeper()([{ attachments: [file(picture('/with-message'))] }, {}]);
    expect(knownPicture(ID)).toBe('/with-message');
    const now = Date.now();
    jest.spyOn(Date, 'now').mockReturnValue(now + 2 * MINUTE);
    expect(knownPicture(ID)).toBeUndefined();
    answer = picture('/asked');
    expect(await askForPicture(ID)).toEqual({ state: 'ready', url: '/asked' });
    expect(knownPicture(ID)).toBe('/asked');
    expect(asked).toEqual([`/api/chat/attachments/${ID}`]);
  });

  it('never links the original: waits for a thumbnail being made, and reports why there is none', async () => {
    answer = { downloadUrl: '/original', thumbnail: null };
    expect(await askForPicture(ID)).toEqual({ state: 'pending' });
    answer = { downloadUrl: '/original', thumbnailError: 'too-large' };
    expect(await askForPicture(ID)).toEqual({ state: 'none', reason: 'too-large' });
    answer = { downloadUrl: '/original' };
    expect(await askForPicture(ID)).toEqual({ state: 'none', reason: undefined });
    expect(knownPicture(ID)).toBeUndefined();
  });

  it('discards a response that arrives after another user signed in', () => {
    const keep = pictureKeeper();
    signInAs(buildUser('b'));
    keep([{ attachments: [file(picture('/of-a'))] }]);
    expect(knownPicture(ID)).toBeUndefined();
  });
});
