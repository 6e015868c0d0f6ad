import type { Meeting } from '@atrium/proto-events/http/meeting-fields';
import type { Ref } from 'react';
import { PeopleField } from '../../../entities/user/people-field.tsx';

type Props = {
  value: readonly string[];
  onChange: (ids: string[]) => void;
  error: string | undefined;
  organizerId: string;
  /** Who is invited already. */
  invited?: Meeting['participants'];
  isRequired?: boolean;
  ref?: Ref<HTMLInputElement>;
};

/** The organiser always comes. */
export function ParticipantsField({ organizerId, invited = [], ...field }: Props) {
  return <PeopleField {...field} label="Participants" without={[organizerId]} known={invited} />;
}
