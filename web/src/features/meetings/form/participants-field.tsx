import type { Meeting } from '@atrium/proto-events/http/meeting-fields';
import type { Ref } from 'react';
import { PeopleField } from '#entities/user/people-field.tsx';

type Props = {
  value: readonly string[];
  onChange: (ids: string[]) => void;
  error: string | undefined;
  organizerId: string;
  /** The current participants. */
  invited?: Meeting['participants'];
  isRequired?: boolean;
  ref?: Ref<HTMLInputElement>;
};

/** The organizer always participates. */
export function ParticipantsField({ organizerId, invited = [], ...field }: Props) {
  return <PeopleField {...field} label="Participants" without={[organizerId]} known={invited} />;
}
