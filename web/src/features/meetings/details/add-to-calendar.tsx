import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { CalendarPlus } from 'lucide-react';
import { API_PREFIX, withRefresh } from '#lib/api/api.ts';
import { errorFromResponse, networkError } from '#lib/api/api-error.ts';
import { Button } from '#ui/button.tsx';
import { Menu, MenuItem } from '#ui/overlays/menu.tsx';
import { useAction } from '#ui/overlays/use-action.ts';

const TIMEOUT_MS = 10_000;

type FileScope = 'this' | 'all';

async function saveCalendar({ _id, title }: { _id: string; title: string }, scope: FileScope): Promise<void> {
  const text = await withRefresh((token) => readText(`/meetings/${_id}/calendar.ics?scope=${scope}`, token));
  const url = URL.createObjectURL(new Blob([text], { type: 'text/calendar' }));
  const link = window.document.createElement('a');
  link.href = url;
  link.download = `${title.replaceAll(/[^\p{L}\p{N} ._-]/gu, '').trim() || 'meeting'}.ics`;
  link.click();
  // The browser has read the blob by then.
  setTimeout(() => URL.revokeObjectURL(url), TIMEOUT_MS);
}

async function readText(path: string, token: string | null): Promise<string> {
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const response = await fetch(API_PREFIX + path, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => {
    throw networkError();
  });
  if (response.ok) return response.text();
  throw errorFromResponse(response.status, await response.json().catch(() => null), (name) =>
    response.headers.get(name),
  );
}

export function AddToCalendar({ meeting }: { meeting: Meeting }) {
  const { run, isBusy } = useAction(
    (scope: FileScope) => saveCalendar(meeting, scope),
    'Failed to create the calendar file',
  );
  const button = (
    <Button
      icon={<CalendarPlus />}
      isBusy={isBusy}
      aria-label={`Calendar file of ${meeting.title}`}
      {...(!meeting.isRecurring && { onPress: () => void run('this') })}
    >
      Calendar file
    </Button>
  );
  if (!meeting.isRecurring) return button;
  return (
    <Menu trigger={button} label="Which meetings">
      <MenuItem onAction={() => void run('this')}>This meeting</MenuItem>
      <MenuItem onAction={() => void run('all')}>All meetings of the series</MenuItem>
    </Menu>
  );
}
