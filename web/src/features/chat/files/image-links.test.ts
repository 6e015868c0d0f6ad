import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { createLinkRecorder, fetchThumbnailState, getCachedLink } from './image-links.ts';

const ID = 'f'.repeat(24);
const MINUTE = 60_000;
let stop: () => Promise<void> = async () => undefined;
let requests: string[] = [];
let attachment: object = {};

const file = (fields: object = {}) => ({ _id: ID, name: 'a.png', size: 1, mimetype: 'image/png', ...fields });
const picture = (url: string) => ({ thumbnail: { url, width: 2, height: 1 } });

beforeEach(async () => {
  requests = [];
  signInAs(buildUser('b'));
  signInAs(buildUser('a'));
  ({ stop } = await startApi(({ path }) => {
    requests.push(path);
    return { status: 200, body: file(attachment) };
  }));
});

afterEach(async () => {
  jest.restoreAllMocks();
  await stop();
});

describe('image links', () => {
  it('reuses the link that came with the message while it is valid', async () => {
    createLinkRecorder()([{ attachments: [file(picture('/with-message'))] }, {}]);
    expect(getCachedLink(ID)).toBe('/with-message');
    const now = Date.now();
    jest.spyOn(Date, 'now').mockReturnValue(now + 2 * MINUTE);
    expect(getCachedLink(ID)).toBeUndefined();
    attachment = picture('/fetched');
    expect(await fetchThumbnailState(ID)).toEqual({ state: 'ready', url: '/fetched' });
    expect(getCachedLink(ID)).toBe('/fetched');
    expect(requests).toEqual([`/api/chat/attachments/${ID}`]);
  });

  it('never links the original, but waits for a pending thumbnail, or reports why there is none', async () => {
    attachment = { downloadUrl: '/original', thumbnail: null };
    expect(await fetchThumbnailState(ID)).toEqual({ state: 'pending' });
    attachment = { downloadUrl: '/original', thumbnailError: 'too-large' };
    expect(await fetchThumbnailState(ID)).toEqual({ state: 'none', reason: 'too-large' });
    attachment = { downloadUrl: '/original' };
    expect(await fetchThumbnailState(ID)).toEqual({ state: 'none', reason: undefined });
    expect(getCachedLink(ID)).toBeUndefined();
  });

  it('discards a response that arrives after another user signed in', () => {
    const recordLinks = createLinkRecorder();
    signInAs(buildUser('b'));
    recordLinks([{ attachments: [file(picture('/of-a'))] }]);
    expect(getCachedLink(ID)).toBeUndefined();
  });
});
