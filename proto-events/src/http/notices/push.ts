import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, idParams } from '../../fields.ts';

export const PUSH_DISABLED = 'Push notifications are not set up in this workspace';
export const PUSH_HOST_DENIED = 'The push service of this browser is not allowed in this workspace';
export const PUSH_KEY_OUTDATED = 'Subscribe again with the current key';

const MAX_ENDPOINT_LENGTH = 1_000;
/** A point of the curve P-256, uncompressed, in base64url (RFC 8291, section 3.2). */
const publicKey = z.base64url().length(87);
/** 16 bytes in base64url. */
const authSecret = z.base64url().length(22);

export const getPushKey = endpoint({
  method: 'GET',
  path: '/push/key',
  summary: 'Get the key with which browsers subscribe to push notifications, or null if there are none',
  access: 'user',
  response: z.object({ publicKey: z.string().nullable() }),
  status: 200,
});

export const subscribeToPush = endpoint({
  method: 'POST',
  path: '/push/subscriptions',
  summary: 'Send push notifications to a browser until its session ends. Repeating the request changes nothing',
  access: 'user',
  body: z.object({
    endpoint: z.url({ protocol: /^https?$/ }).max(MAX_ENDPOINT_LENGTH),
    keys: z.object({ p256dh: publicKey, auth: authSecret }),
    publicKey: publicKey.describe('The key of `GET /push/key` that the browser subscribed with'),
  }),
  response: z.object({ _id: id }),
  status: 200,
  rules: [PUSH_DISABLED, PUSH_HOST_DENIED, PUSH_KEY_OUTDATED],
});

export const unsubscribeFromPush = endpoint({
  method: 'DELETE',
  path: '/push/subscriptions/:id',
  summary: 'End the push notifications of a browser',
  access: 'user',
  params: idParams,
  status: 204,
  errors: ['not_found'],
});
