import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { createOriginFinder, createTrust } from './client-address.ts';

const request = (remoteAddress: string, forwardedFor?: string, proto?: string) =>
  ({
    socket: { remoteAddress },
    headers: { 'x-forwarded-for': forwardedFor, 'x-forwarded-proto': proto },
  }) as unknown as IncomingMessage;

describe('createOriginFinder', () => {
  const find = createOriginFinder(createTrust(['10.0.0.0/8', '192.0.2.7', 'fd00::/8']));

  it.each([
    ['203.0.113.9', undefined, '203.0.113.9'],
    ['203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['10.1.1.1', undefined, '10.1.1.1'],
    ['10.1.1.1', '198.51.100.1', '198.51.100.1'],
    ['::ffff:10.1.1.1', '198.51.100.1', '198.51.100.1'],
    ['fd00::1', '2001:db8::5', '2001:db8::5'],
    ['10.1.1.1', '6.6.6.6, 198.51.100.1, 192.0.2.7', '198.51.100.1'],
    ['10.1.1.1', '192.0.2.7, 10.2.2.2', '192.0.2.7'],
    ['10.1.1.1', 'unknown', '10.1.1.1'],
    ['10.1.1.1', '6.6.6.6, garbage, 10.2.2.2', '10.2.2.2'],
    ['10.1.1.1', ' , ,198.51.100.1,', '198.51.100.1'],
  ])('finds the client of %s with "%s" at %s', (remote, chain, address) => {
    expect(find(request(remote, chain)).address).toBe(address);
  });

  it('tells of a peer that forwards addresses without being trusted, which makes one client of all behind it', () => {
    const told: string[] = [];
    const findAndTell = createOriginFinder(createTrust(['10.0.0.0/8']), (peer) => told.push(peer));
    findAndTell(request('203.0.113.9', '198.51.100.1'));
    findAndTell(request('10.1.1.1', '198.51.100.1'));
    findAndTell(request('203.0.113.10'));
    expect(told).toEqual(['203.0.113.9']);
  });

  it('believes only a trusted proxy that the line was encrypted', () => {
    expect(find(request('10.1.1.1', '198.51.100.1', 'https')).secure).toBe(true);
    expect(find(request('10.1.1.1', '198.51.100.1', 'https, http')).secure).toBe(false);
    expect(find(request('203.0.113.9', undefined, 'https')).secure).toBe(false);
  });
});
