import '../../../../test/browser-gaps.ts';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { buildUser } from '../../../../test/a-person.ts';
import { startApi } from '../../../../test/api-server.ts';
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

describe('a link to a picture of a message', () => {
  it('is the one that came with the message for as long as that is good', async () => {
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

  it('is never the file itself: what is being made is waited for, and what is not made has a reason', async () => {
    answer = { downloadUrl: '/original', thumbnail: null };
    expect(await askForPicture(ID)).toEqual({ state: 'pending' });
    answer = { downloadUrl: '/original', thumbnailError: 'too-large' };
    expect(await askForPicture(ID)).toEqual({ state: 'none', reason: 'too-large' });
    answer = { downloadUrl: '/original' };
    expect(await askForPicture(ID)).toEqual({ state: 'none', reason: undefined });
    expect(knownPicture(ID)).toBeUndefined();
  });

  it('is nobody else’s, though its answer comes when somebody else is here', () => {
    const keep = pictureKeeper();
    signInAs(buildUser('b'));
    keep([{ attachments: [file(picture('/of-a'))] }]);
    expect(knownPicture(ID)).toBeUndefined();
  });
});
