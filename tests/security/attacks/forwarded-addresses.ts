import { expect } from '@jest/globals';
import { PASSWORD, send } from '../../workspace/workspace.ts';
import type { Attack } from './attack.ts';

type Sessions = { data: { address: string | null }[] };

export const forwardedPorts: Attack = {
  name: 'a forwarded address with a port is recorded without the port',
  async run({ url, admin }) {
    const written = { '203.0.113.50:4711': '203.0.113.50', '"[2001:db8::50]:443"': '2001:db8::50' };
    for (const [forwarded, address] of Object.entries(written)) {
      const signedIn = await send<{ accessToken: string }>(`${url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': forwarded },
        body: JSON.stringify({ email: admin.email, password: PASSWORD }),
      });
      expect(signedIn.status).toBe(200);
      const authorization = `Bearer ${signedIn.body.accessToken}`;
      const { body } = await send<Sessions>(`${url}/api/auth/sessions`, { headers: { authorization } });
      expect(body.data.map((session) => session.address)).toContain(address);
    }
  },
};
