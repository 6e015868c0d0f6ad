import { type Conversation, channelName } from '@atrium/proto-events/http/chat';
import { type FormEvent, useState } from 'react';
import { PeopleField } from '#entities/user/people-field.tsx';
import { useUnsavedChanges } from '#lib/forms/unsaved-changes.tsx';
import { useDraftState } from '#lib/forms/use-draft-state.ts';
import { useIdempotencyKey } from '#lib/hooks/use-idempotency-key.ts';
import { isRecord } from '#lib/is-record.ts';
import { useCurrentUser } from '#lib/session/use-session.ts';
import { DraftNotice } from '#ui/draft-notice.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { FormFooter } from '#ui/forms/dialog-form.tsx';
import { FormFailure } from '#ui/forms/form-failure.tsx';
import { Dialog, DialogBody } from '#ui/overlays/dialog.tsx';
import { useAction } from '#ui/overlays/use-action.ts';
import { useConversationActions } from './use-conversation-actions.ts';

/** The name as stored: lower case, trimmed, spaces as hyphens. */
const normalizeChannelName = (given: string): string => given.toLowerCase().trim().replace(/\s+/g, '-');

/** The contract's message for an invalid name. */
function getChannelNameError(given: string): string | undefined {
  const result = channelName.safeParse(given);
  return result.success ? undefined : result.error.issues[0]?.message;
}

type Props = { isOpen: boolean; onClose: () => void; onCreated: (conversation: Conversation) => void };

export function NewChannelDialog({ isOpen, onClose, onCreated }: Props) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Create New Channel" description="A place to talk about one topic.">
      <ChannelForm onCreated={onCreated} />
    </Dialog>
  );
}

const PLACE = 'channel:new';

type ChannelValues = { name: string; description: string; participants: string[] };

const EMPTY: ChannelValues = { name: '', description: '', participants: [] };

function parseValues(stored: unknown): ChannelValues | undefined {
  if (!isRecord(stored)) return undefined;
  const { name, description, participants } = stored;
  if (typeof name !== 'string' || typeof description !== 'string' || !Array.isArray(participants)) return undefined;
  return { name, description, participants: participants.map(String) };
}

function ChannelForm({ onCreated }: Pick<Props, 'onCreated'>) {
  const me = useCurrentUser()._id;
  const create = useIdempotencyKey(PLACE, useConversationActions().create);
  const [values, setValues, draft, isChanged] = useDraftState({ place: PLACE, initial: EMPTY, parse: parseValues });
  const { name, description, participants } = values;
  const set = (changed: Partial<ChannelValues>) => setValues((before) => ({ ...before, ...changed }));
  const [error, setError] = useState<string>();
  useUnsavedChanges(isChanged);
  const {
    run: make,
    isBusy,
    failure,
  } = useAction(
    async () => onCreated(await create({ type: 'group', title: name, description, participants })),
    'Failed to create channel',
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const nameError = getChannelNameError(name);
    setError(nameError);
    if (!nameError) void make();
  };
  const stored = normalizeChannelName(name);
  return (
    <form onSubmit={submit} noValidate>
      <DialogBody>
        <DraftNotice draft={draft} />
        <TextField
          label="Channel name"
          value={name}
          onChange={(value) => {
            set({ name: value });
            if (error) setError(getChannelNameError(value));
          }}
          onBlur={() => name && setError(getChannelNameError(name))}
          error={error}
          description={
            stored && stored !== name && !error ? `Will be called ${stored}` : 'Lowercase letters, numbers, and hyphens'
          }
          maxLength={80}
          isRequired
          autoFocus
        />
        <TextField
          label="Description"
          value={description}
          onChange={(value) => set({ description: value })}
          placeholder="What is it about?"
          maxLength={500}
        />
        <PeopleField
          label="Members"
          value={participants}
          onChange={(ids) => set({ participants: ids })}
          without={[me]}
        />
        <FormFailure failure={failure} />
      </DialogBody>
      <FormFooter action="Create Channel" isBusy={isBusy} />
    </form>
  );
}
