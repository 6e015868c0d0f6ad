import { expect, it } from '@jest/globals';
import { pictureFailure } from './picture-failure.ts';

const page = { href: 'http://127.0.0.1:8080/chat', host: '127.0.0.1:8080' };

it('pictureFailure names both addresses when the picture and the page have different origins', () => {
  expect(pictureFailure('http://localhost:8080/files/a.png?signed=1', page)).toBe(
    'This picture could not be loaded. Pictures come from localhost:8080; this page was opened at 127.0.0.1:8080.',
  );
});

it('pictureFailure names no address when the origin is the same', () => {
  for (const url of ['http://127.0.0.1:8080/files/a.png', '/files/a.png'])
    expect(pictureFailure(url, page)).toBe('This picture could not be loaded');
});
