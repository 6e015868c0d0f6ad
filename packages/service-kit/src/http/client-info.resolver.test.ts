import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { createClientInfoResolver, createProxyTrust } from './client-info.ts';

const buildRequest = (remoteAddress: string, forwardedFor?: string, proto?: string) =>
  ({
    socket: { remoteAddress },
    headers: { 'x-forwarded-for': forwardedFor, 'x-forwarded-proto': proto },
  }) as unknown as IncomingMessage;

describe('createClientInfoResolver', () => {
  const resolveClientInfo = createClientInfoResolver(createProxyTrust(['10.0.0.0/8', '192.0.2.7', 'fd00::/8']));

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
    ['10.1.1.1', '198.51.100.1:5555', '198.51.100.1'],
    ['10.1.1.1', '198.51.100.1:5555, 10.2.2.2:80', '198.51.100.1'],
    ['10.1.1.1', '[2001:db8::5]:5555', '2001:db8::5'],
    ['10.1.1.1', '[2001:db8::5]', '2001:db8::5'],
    ['10.1.1.1', '"[2001:db8::5]:_port"', '2001:db8::5'],
    ['10.1.1.1', '[::ffff:198.51.100.1]:80', '198.51.100.1'],
    ['10.1.1.1', '198.51.100.1:5555:80', '10.1.1.1'],
    ['10.1.1.1', '_hidden', '10.1.1.1'],
  ])('peer %s with X-Forwarded-For "%s" has the client %s', (peer, forwardedFor, address) => {
    expect(resolveClientInfo(buildRequest(peer, forwardedFor)).address).toBe(address);
  });

  it('reports forwarding by an untrusted peer, and malformed values from a trusted one', () => {
    const untrustedPeers: string[] = [];
    const unreadableValues: string[][] = [];
    const findAndReport = createClientInfoResolver(createProxyTrust(['10.0.0.0/8']), {
      onUntrusted: (peer) => untrustedPeers.push(peer),
      onUnreadable: (peer, value) => unreadableValues.push([peer, value]),
    });
    findAndReport(buildRequest('203.0.113.9', '198.51.100.1'));
    findAndReport(buildRequest('203.0.113.10'));
    findAndReport(buildRequest('10.1.1.1', '198.51.100.1'));
    findAndReport(buildRequest('10.1.1.1', '198.51.100.1, unknown, 10.2.2.2'));
    findAndReport(buildRequest('10.1.1.1'));
    expect(untrustedPeers).toEqual(['203.0.113.9']);
    expect(unreadableValues).toEqual([['10.2.2.2', 'unknown']]);
  });

  it('reads X-Forwarded-Proto of a trusted proxy only', () => {
    expect(resolveClientInfo(buildRequest('10.1.1.1', '198.51.100.1', 'https')).secure).toBe(true);
    expect(resolveClientInfo(buildRequest('10.1.1.1', '198.51.100.1', 'https, http')).secure).toBe(false);
    expect(resolveClientInfo(buildRequest('203.0.113.9', undefined, 'https')).secure).toBe(false);
  });
});
