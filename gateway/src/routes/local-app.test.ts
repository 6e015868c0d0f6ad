import { expect, it } from '@jest/globals';
import { redactSecrets } from './local-app.ts';

it('redacts email addresses and secret links from client errors', () => {
  const link = 'https://atrium.example.org/reset-password?token=let-me-in';
  expect(redactSecrets(`failed: ${link}`)).toBe('failed: https://atrium.example.org/reset-password');
  expect(redactSecrets(`Error: no\n    at open (${link}:10:2)\n    at run (https://a.example/x.js:1:2)`)).toBe(
    'Error: no\n    at open (https://atrium.example.org/reset-password)\n    at run (https://a.example/x.js:1:2)',
  );
  expect(redactSecrets('/accept-invite#token=let-me-in')).toBe('/accept-invite');
  expect(redactSecrets('/a%20b?token=let-me-in')).toBe('/a%20b');
  expect(redactSecrets('is a?.b there? No')).toBe('is a?.b there? No');
  expect(redactSecrets('is maya@example.org there?')).not.toContain('maya@example.org');
});
