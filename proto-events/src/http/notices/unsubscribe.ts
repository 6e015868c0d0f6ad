import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { NOTICE_KINDS } from '../../notices/kinds.ts';
import { UNSUBSCRIBE_TOKEN } from '../../notices/unsubscribe-link.ts';

export const INVALID_UNSUBSCRIBE_LINK = 'This link is invalid';

/** Mail programs call it for one-click unsubscribe (RFC 8058), at the URL of the page that asks users. */
export const unsubscribe = endpoint({
  method: 'POST',
  path: '/notifications/unsubscribe/:token',
  summary:
    'Turn off emails of the kinds of notification that a link in an email names; the link is the only credential',
  access: 'public',
  params: z.object({ token: z.string().regex(UNSUBSCRIBE_TOKEN) }),
  ignoresBody: true,
  response: z.object({ kinds: z.array(z.enum(NOTICE_KINDS)) }),
  status: 200,
  errors: ['invalid_token'],
});
