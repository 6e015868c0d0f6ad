import { channelName } from '@atrium/proto-events/http/chat/channel-settings';
import { type Conversation, channelVisibility } from '@atrium/proto-events/http/chat/conversations';
import { useState } from 'react';
import { z } from 'zod';
import { DEPARTMENT_MEMBERS, DepartmentField } from '#entities/department/department-field.tsx';
import { PROJECT_MEMBERS, ProjectField } from '#entities/project/project-field.tsx';
import { UsersField } from '#entities/user/users-field.tsx';
import { FormField } from '#lib/forms/form-field.tsx';
import { useCurrentUser } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { FormDialog } from '#ui/forms/form-dialog.tsx';
import { useCreateForm } from '#ui/forms/use-create-form.ts';
import { FormFailure } from '#ui/notice.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogBody, DialogFooter } from '#ui/overlays/dialog-parts.ts';
import { useAction } from '#ui/overlays/use-action.ts';
import { PurposeField, VisibilityField } from './channels/channel-fields.tsx';
import { useConversationActions } from './use-conversation-actions.ts';

// The API type of a channel is "group".
const channelSchema = z
  .object({
    name: channelName,
    purpose: z.string(),
    visibility: channelVisibility,
    participants: z.array(z.string()),
    department: z.string(),
    project: z.string(),
  })
  .transform(({ name, department, project, ...rest }) => ({
    type: 'group' as const,
    title: name,
    ...rest,
    memberGroups: [
      ...(department ? [{ type: 'department' as const, _id: department }] : []),
      ...(project ? [{ type: 'project' as const, _id: project }] : []),
    ],
  }));

const defaultValues: z.input<typeof channelSchema> = {
  name: '',
  purpose: '',
  visibility: 'private',
  participants: [],
  department: '',
  project: '',
};

type ChannelProps = { onClose: () => void; onCreated: (conversation: Conversation) => void };

export function NewChannelDialog({ onClose, onCreated }: ChannelProps) {
  const currentUserId = useCurrentUser()._id;
  const form = useCreateForm({
    schema: channelSchema,
    defaultValues,
    draft: 'channel:new',
    create: useConversationActions().create,
    messages: { failed: 'Failed to create channel' },
    onCreated,
  });
  const { control } = form;
  return (
    <FormDialog
      form={form}
      title="Create New Channel"
      description="A place to talk about one topic."
      onClose={onClose}
      action="Create Channel"
    >
      <FormField control={control} name="name">
        {(field) => (
          <TextField
            {...field}
            label="Channel name"
            description={nameHint(field.value)}
            maxLength={80}
            isRequired
            autoFocus
          />
        )}
      </FormField>
      <FormField control={control} name="purpose">
        {(field) => <PurposeField {...field} />}
      </FormField>
      <FormField control={control} name="visibility">
        {(field) => <VisibilityField {...field} />}
      </FormField>
      <FormField control={control} name="participants">
        {({ value, onChange, error }) => (
          <UsersField label="Members" value={value} onChange={onChange} error={error} excludedIds={[currentUserId]} />
        )}
      </FormField>
      <FormField control={control} name="department">
        {({ value, onChange, error }) => (
          <DepartmentField value={value} onChange={onChange} error={error} description={DEPARTMENT_MEMBERS} />
        )}
      </FormField>
      <FormField control={control} name="project">
        {({ value, onChange, error }) => (
          <ProjectField value={value} onChange={onChange} error={error} description={PROJECT_MEMBERS} />
        )}
      </FormField>
    </FormDialog>
  );
}

function nameHint(name: string): string {
  const storedName = channelName.safeParse(name).data;
  return storedName === undefined || storedName === name
    ? 'Lowercase letters, numbers, and hyphens'
    : `Will be called ${storedName}`;
}

type DirectMessageProps = { onClose: () => void; onStarted: (conversation: Conversation) => void };

export function DirectMessageDialog({ onClose, onStarted }: DirectMessageProps) {
  const currentUserId = useCurrentUser()._id;
  const { create } = useConversationActions();
  const [chosenIds, setChosenIds] = useState<string[]>([]);
  const {
    run: start,
    isBusy,
    failure,
  } = useAction(
    async () => onStarted(await create({ type: 'direct', participants: chosenIds })),
    'Failed to start conversation',
  );
  return (
    <Dialog onClose={onClose} title="Start Direct Message" isDismissable>
      <DialogBody>
        <UsersField label="To" value={chosenIds} onChange={setChosenIds} excludedIds={[currentUserId]} mode="single" />
        <FormFailure failure={failure} />
      </DialogBody>
      <DialogFooter>
        <Button onPress={onClose}>Cancel</Button>
        <Button variant="primary" onPress={() => void start()} isDisabled={chosenIds.length === 0} isBusy={isBusy}>
          Start Conversation
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
