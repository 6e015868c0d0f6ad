import { expect, it } from '@jest/globals';
import { withoutSecrets } from './redact-secrets.ts';

it('leaves out of what a browser says who somebody is and what would let them in', () => {
  const link = 'https://atrium.example.org/reset-password?token=let-me-in';
  expect(withoutSecrets(`failed: ${link}`)).toBe('failed: https://atrium.example.org/reset-password');
  expect(withoutSecrets(`Error: no\n    at open (${link}:10:2)\n    at run (https://a.example/x.js:1:2)`)).toBe(
    'Error: no\n    at open (https://atrium.example.org/reset-password)\n    at run (https://a.example/x.js:1:2)',
  );
  expect(withoutSecrets('/accept-invite#token=let-me-in')).toBe('/accept-invite');
  expect(withoutSecrets('/a%20b?token=let-me-in')).toBe('/a%20b');
  expect(withoutSecrets('is a?.b there? No')).toBe('is a?.b there? No');
  expect(withoutSecrets('is maya@example.org there?')).not.toContain('maya@example.org');
});
