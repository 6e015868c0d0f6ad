import { describe, expect, it } from '@jest/globals';
import { addressBlock } from './client-info.ts';

describe('addressBlock', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:db8::6', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['nowhere', ''],
  ])('maps %s to %s', (address, block) => {
    expect(addressBlock(address)).toBe(block);
  });

  it('returns a wider IPv6 block for a shorter prefix', () => {
    expect(addressBlock('2001:db8:1:2ab::5', 56)).toBe('2001:db8:1:200::/56');
    expect(addressBlock('2001:db8:1:2ab::5', 48)).toBe('2001:db8:1::/48');
    expect(addressBlock('203.0.113.9', 48)).toBe('203.0.113.9');
  });
});
