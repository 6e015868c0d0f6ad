import type { CallOf } from '@atrium/proto-events/endpoint';
import type { changePassword as changePasswordEndpoint } from '@atrium/proto-events/http/passwords';
import { call, withRefresh } from '../api/api.ts';
import { replaceTokens } from '../api/refresh-tokens.ts';

/**
 * Refreshes wait until the new tokens are stored: with the old refresh token, a tab that receives the
 * revocation before the response would be signed out.
 */
export function changePassword(body: CallOf<typeof changePasswordEndpoint>['body']): Promise<void> {
  return withRefresh((token) =>
    replaceTokens(() =>
      call<typeof changePasswordEndpoint>(
        'POST /auth/change-password',
        { body },
        { headers: { authorization: `Bearer ${token ?? ''}` }, isAnonymous: true },
      ),
    ),
  );
}
