import type { checkInvites, KnownEmail } from '@atrium/proto-events/http/invitations';
import { readEmailAddress } from '@atrium/proto-events/text/email';
import useSWR from 'swr';
import { call } from '#lib/api/api.ts';
import { useDebounced } from '#lib/hooks/use-debounced.ts';

const NONE: readonly KnownEmail[] = [];

/**
 * Addresses that already have an account or an invitation. The key is below `/auth/invites`, so another administrator's invitation
 * refreshes it. If it fails to load, every address counts as free, and the server rejects taken ones.
 */
export function useKnownEmails(emails: readonly string[]): readonly KnownEmail[] {
  const valid = [...new Set(emails.map((email) => readEmailAddress(email)))]
    .filter((email) => email !== undefined)
    .sort();
  const list = useDebounced(valid.join('\n'), 400);
  const { data } = useSWR(
    list === '' ? null : `/auth/invites/check?emails=${encodeURIComponent(list)}`,
    () => call<typeof checkInvites>('POST /auth/invites/check', { body: { emails: list.split('\n') } }),
    { keepPreviousData: true },
  );
  return data?.data ?? NONE;
}
