import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { FieldProps } from '#ui/fields/field.tsx';
import { RadioGroup } from '#ui/fields/radio-group.tsx';
import { TextField } from '#ui/fields/text-field.tsx';

export const VISIBILITIES = [
  { value: 'private', label: 'Private', description: 'Only people who are added can find it' },
  { value: 'public', label: 'Public', description: 'Everyone can find and join it' },
] as const;

export const POSTING = [
  { value: 'everyone', label: 'Everyone in the channel' },
  { value: 'managers', label: 'Managers only', description: 'Everyone can reply in threads' },
] as const;

export const MENTION_EVERYONE = [
  { value: 'everyone', label: 'Everyone in the channel' },
  { value: 'managers', label: 'Managers only' },
] as const;

export const ADD_PEOPLE = MENTION_EVERYONE;

type BoundField<Value> = Omit<FieldProps<Value>, 'label'>;

export const PurposeField = (field: BoundField<string>) => (
  <TextField {...field} label="Purpose" placeholder="What is it about?" maxLength={250} />
);

export const VisibilityField = (field: BoundField<Conversation['visibility']>) => (
  <RadioGroup {...field} label="Visibility" options={VISIBILITIES} />
);

export const PostingField = (field: BoundField<Conversation['posting']>) => (
  <RadioGroup {...field} label="Who can write messages" options={POSTING} />
);

export const MentionEveryoneField = (field: BoundField<Conversation['mentionEveryone']>) => (
  <RadioGroup
    {...field}
    label="Who can mention everyone"
    options={MENTION_EVERYONE}
    description="Includes @here, departments, and projects"
  />
);

export const AddPeopleField = (field: BoundField<Conversation['addPeople']>) => (
  <RadioGroup {...field} label="Who can add people" options={ADD_PEOPLE} />
);
