import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { parsePath } from './gateway-request.ts';

function read(url: string) {
  const req = new IncomingMessage(new Socket());
  req.url = url;
  return parsePath(req);
}

describe('parsePath', () => {
  it.each([
    ['/', '/', '/'],
    ['/api/users?Search=A', '/api/users', '/api/users'],
    ['/API/Auth/LOGIN/', '/API/Auth/LOGIN/', '/api/auth/login'],
    ['/api/meetings/feed/AbC.ics', '/api/meetings/feed/AbC.ics', '/api/meetings/feed/abc.ics'],
  ])('keeps %s as sent and normalizes it for routing', (url, path, normalizedPath) => {
    expect(read(url)).toEqual({ path, normalizedPath });
  });

  it.each([
    '',
    '*',
    'http://127.0.0.1/metrics',
    '//api/users',
    '/api//users',
    '/api/users//',
    '/api/../metrics',
    '/api/auth/.',
    '/api/%2E%2e/metrics',
    '/api/a%2fb',
    '/api/a\\b',
    '/api/a%00',
    `/api/${'a'.repeat(3_200)}`,
    `/api/${'/'.repeat(15_500)}x`,
  ])('rejects %.40s', (url) => {
    expect(read(url)).toBeUndefined();
  });

  it('accepts a query of any length', () => {
    expect(read(`/api/users?search=${'a'.repeat(8_000)}`)).toMatchObject({ normalizedPath: '/api/users' });
  });
});
