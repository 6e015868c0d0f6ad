import { expect } from '@jest/globals';
import { send } from '../../workspace/workspace.ts';
import type { Attack } from './attack.ts';

export const browserHeaders: Attack = {
  name: 'security headers disable unused browser features, and do not affect sibling hosts',
  async run({ url }) {
    const { headers } = await send(`${url}/api/auth/setup`, { headers: { 'x-forwarded-proto': 'https' } });
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    expect(headers.get('permissions-policy')).toMatch(/\bcamera=\(\).*\bgeolocation=\(\)/);
  },
};
