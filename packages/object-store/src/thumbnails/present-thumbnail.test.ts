import { describe, expect, it } from '@jest/globals';
import { presentThumbnail } from './present-thumbnail.ts';
import type { ThumbnailRecord } from './thumbnail-records.ts';

const store = { link: () => 'a link' };
const buildRecord = (fields: Partial<ThumbnailRecord>): { thumbnail: ThumbnailRecord } => ({
  thumbnail: {
    state: 'failed',
    reason: null,
    small_key: null,
    large_key: null,
    width: null,
    height: null,
    ...fields,
  },
});

describe('presentThumbnail', () => {
  it.each([
    ['memory', 'too-large'],
    ['time', 'too-large'],
    ['killed', 'too-large'],
    ['too-large', 'too-large'],
    ['damaged', 'damaged'],
  ] as const)('maps a failure by %s to %s', (reason, thumbnailError) => {
    expect(presentThumbnail(store, buildRecord({ reason }))).toEqual({ thumbnailError });
  });

  it('returns the link of a rendered thumbnail, null while pending, and nothing without an image or a store', () => {
    const rendered = buildRecord({ state: 'done', small_key: 'k', large_key: 'l', width: 2, height: 1 });
    expect(presentThumbnail(store, rendered)).toEqual({ thumbnail: { url: 'a link', width: 2, height: 1 } });
    expect(presentThumbnail({ link: () => undefined }, rendered)).toEqual({});
    expect(presentThumbnail(store, buildRecord({ state: 'pending' }))).toEqual({ thumbnail: null });
    expect(presentThumbnail(store, { ...buildRecord({ state: 'pending' }), file_lost: true })).toEqual({});
    expect(presentThumbnail(store, { thumbnail: null })).toEqual({});
  });
});
