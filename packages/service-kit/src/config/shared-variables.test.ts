import { describe, expect, it } from '@jest/globals';
import { isNetwork } from './shared-variables.ts';

describe('isNetwork', () => {
  it('accepts only addresses and networks', () => {
    for (const network of ['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8', '0.0.0.0/0'])
      expect([network, isNetwork(network)]).toEqual([network, true]);
    for (const text of ['10.0.0.0/33', '10.0.0', 'proxy', '10.0.0.0/8/8', '10.0.0.0/', 'fd00::/129'])
      expect([text, isNetwork(text)]).toEqual([text, false]);
  });
});
