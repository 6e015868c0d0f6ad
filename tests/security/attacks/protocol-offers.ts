import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect } from '@jest/globals';
import type { Attack } from './attack.ts';

export const protocolOffers: Attack = {
  name: 'requests to upgrade the protocol are ignored, and get a normal response',
  async run({ url }) {
    for (const upgrade of ['h2c', 'websocket', 'TLS/1.0']) {
      const req = request(`${url}/api/auth/setup`, { agent: false, headers: { connection: 'Upgrade', upgrade } });
      req.end();
      const [res]: IncomingMessage[] = await once(req, 'response');
      res?.resume();
      expect([upgrade, res?.statusCode]).toEqual([upgrade, 200]);
    }
  },
};
