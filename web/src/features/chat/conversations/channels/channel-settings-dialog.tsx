import { channelRight } from '@atrium/proto-events/http/chat/channel-settings';
import { type Conversation, channelVisibility } from '@atrium/proto-events/http/chat/conversations';
import { z } from 'zod';
import { type FieldTexts, optionText } from '#lib/forms/field-merge.ts';
import { FormField } from '#lib/forms/form-field.tsx';
import { FormDialog } from '#ui/forms/form-dialog.tsx';
import { useVersionedForm } from '#ui/forms/use-versioned-form.ts';
import { useConversationActions } from '../use-conversation-actions.ts';
import {
  ADD_PEOPLE,
  AddPeopleField,
  MENTION_EVERYONE,
  MentionEveryoneField,
  POSTING,
  PostingField,
  PurposeField,
  VISIBILITIES,
  VisibilityField,
} from './channel-fields.tsx';

const settingsSchema = z.object({
  purpose: z.string(),
  visibility: channelVisibility,
  posting: channelRight,
  mentionEveryone: channelRight,
  addPeople: channelRight,
});

type Settings = z.infer<typeof settingsSchema>;

const valuesOf = ({ purpose, visibility, posting, mentionEveryone, addPeople }: Conversation): Settings => ({
  purpose,
  visibility,
  posting,
  mentionEveryone,
  addPeople,
});

const FIELDS: FieldTexts<Settings> = {
  purpose: 'Purpose',
  visibility: { label: 'Visibility', text: optionText(VISIBILITIES) },
  posting: { label: 'Who can write messages', text: optionText(POSTING) },
  mentionEveryone: { label: 'Who can mention everyone', text: optionText(MENTION_EVERYONE) },
  addPeople: { label: 'Who can add people', text: optionText(ADD_PEOPLE) },
};

type Props = { conversation: Conversation; onClose: () => void };

export function ChannelSettingsDialog({ conversation, onClose }: Props) {
  const { change } = useConversationActions();
  const form = useVersionedForm({
    resource: conversation,
    valuesOf,
    fields: FIELDS,
    schema: settingsSchema,
    isShortLived: true,
    save: (settings) => change(conversation._id, settings),
    messages: { saved: 'Channel settings saved', failed: 'Failed to save channel settings' },
    onSaved: onClose,
  });
  const { control } = form;
  return (
    <FormDialog
      form={form}
      title="Channel settings"
      description={conversation.title}
      width="sm"
      onClose={onClose}
      resourceLabel="this channel"
      action="Save changes"
    >
      <FormField control={control} name="purpose">
        {(field) => <PurposeField {...field} />}
      </FormField>
      <FormField control={control} name="visibility">
        {(field) => <VisibilityField {...field} />}
      </FormField>
      <FormField control={control} name="posting">
        {(field) => <PostingField {...field} />}
      </FormField>
      <FormField control={control} name="mentionEveryone">
        {(field) => <MentionEveryoneField {...field} />}
      </FormField>
      <FormField control={control} name="addPeople">
        {(field) => <AddPeopleField {...field} />}
      </FormField>
    </FormDialog>
  );
}
