import type { updateNotices } from '@atrium/proto-events/http/notices/settings';
import type { OwnNotices } from '@atrium/proto-events/notices/settings';
import { useNotices } from '#entities/notification/use-notices.ts';
import { call } from '#lib/api/api.ts';
import { FormField } from '#lib/forms/form-field.tsx';
import { useRefetch } from '#lib/query/use-refetch.ts';
import { useVersionedForm } from '#ui/forms/use-versioned-form.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { EditPanelForm } from '../panel-form.tsx';
import { DigestTimes } from './digest-times.tsx';
import { NoticeGrid } from './notice-grid.tsx';
import { NOTICE_FIELDS, noticesSchema, valuesOf } from './notices-schema.ts';
import { NoticesSkeleton } from './notices-skeleton.tsx';
import { PauseRow } from './pause-row.tsx';
import { QuietHours } from './quiet-hours.tsx';

export function NoticeSettings() {
  const notices = useNotices();
  return (
    <AsyncContent query={notices} failure="Failed to load your notification settings" skeletons={<NoticesSkeleton />}>
      {(loaded) => (
        <>
          <PauseRow pausedUntil={loaded.pausedUntil} />
          <Form notices={loaded} />
        </>
      )}
    </AsyncContent>
  );
}

function Form({ notices }: { notices: OwnNotices }) {
  const editing = useNoticesForm(notices);
  const { control } = editing;
  return (
    <EditPanelForm form={editing} resourceLabel="your notification settings" action="Save Notifications">
      <NoticeGrid control={control} />
      <FormField control={control} name="digestTimes">
        {({ name: _name, ...field }) => <DigestTimes {...field} />}
      </FormField>
      <QuietHours control={control} />
    </EditPanelForm>
  );
}

function useNoticesForm(notices: OwnNotices) {
  const refetch = useRefetch();
  return useVersionedForm({
    resource: notices,
    valuesOf,
    fields: NOTICE_FIELDS,
    schema: noticesSchema,
    draft: 'notices',
    save: (body, version) => call<typeof updateNotices>('PATCH /users/profile/notices', { body: { ...body, version } }),
    messages: { saved: 'Notification settings saved', failed: 'Failed to save your notification settings' },
    onSaved: (saved, rebase) => {
      rebase(saved);
      refetch('/users');
    },
  });
}
